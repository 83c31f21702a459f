/** Updates of witnesses (spec/cryptography#14.1, #14.4), from requests and from fetched events, valid or not. @module */
import * as assert from 'uvu/assert'
import { type RevocationUpdate, readAccumulator } from '../../crypto/revocation/accumulator.ts'
import { isWitnessRight } from '../../crypto/revocation/witness.ts'
import { SessionError } from '../../libraries/wallet/failure.ts'
import { bringUpToDate, type MissingEvents, type WitnessUpdates } from '../../libraries/wallet/witnesses.ts'
import { suite } from '../suite.ts'
import { type Authority, createAuthority } from './authority.ts'
import { arithmetic } from './demo-wallets.ts'
import { NOW_SEC, unsigned } from './support.ts'

const BADGE = 'svc-demo.fast.badge'
const Witnesses = suite('witnesses are brought up to date (spec/cryptography#14.4)')

type Held = Parameters<typeof bringUpToDate>[1][number]
const badge = (id: string, authority: Authority): Held => ({
  ...unsigned(id, BADGE, { level: '1' }),
  revocation: { witness: authority.issue(), isRevoked: false },
})

type Try = {
  readonly latest?: () => RevocationUpdate | null
  readonly events?: MissingEvents
}

/** @returns also the intervals of the requested events */
async function tryUpdate(
  authority: Authority,
  held: readonly Held[],
  { latest = () => authority.update(16), events }: Try = {},
): Promise<WitnessUpdates & { readonly asked: readonly string[] }> {
  const asked: string[] = []
  const missing: MissingEvents = async (type, counter, from, to) => {
    asked.push(`${type.id} ${counter} ${from}-${to}`)
    return events ? events(type, counter, from, to) : authority.events(from, to + 1)
  }
  return { ...(await bringUpToDate(arithmetic, held, async () => latest(), missing)), asked }
}

function assertRight({ changed }: WitnessUpdates, id: string, index: number, { key }: Held): void {
  const { witness, isRevoked } = changed.get(id) ?? {}
  assert.is(isRevoked, false)
  assert.ok(witness && isWitnessRight(arithmetic, witness, key))
  assert.is(witness && readAccumulator(witness.signed).index, index)
}

Witnesses('what a request brings is enough for one that is not far behind', async () => {
  const authority = createAuthority(BADGE)
  const one = badge('1', authority)
  authority.revoke(undefined, 16)
  const updated = await tryUpdate(authority, [one])
  assertRight(updated, '1', 16, one)
  assert.equal([updated.asked, updated.outdated.size], [[], 0])
})

Witnesses('what it lacks before that is fetched, once for all instances of the key', async () => {
  const authority = createAuthority(BADGE)
  const old = badge('1', authority)
  authority.revoke(undefined, 20)
  const younger = badge('2', authority)
  authority.revoke(undefined, 20)
  const updated = await tryUpdate(authority, [old, younger])
  assertRight(updated, '1', 40, old)
  assertRight(updated, '2', 40, younger)
  assert.equal(updated.asked, [`${BADGE} 0 1-24`])
})

Witnesses('all of them are fetched where an update has none', async () => {
  const authority = createAuthority(BADGE)
  const one = badge('1', authority)
  authority.revoke(undefined, 3)
  const updated = await tryUpdate(authority, [one], { latest: () => authority.update(0) })
  assertRight(updated, '1', 3, one)
  assert.equal(updated.asked, [`${BADGE} 0 1-3`])
})

Witnesses('a revoked credential is found out, the others of its key go on', async () => {
  const authority = createAuthority(BADGE)
  const [one, two] = [badge('1', authority), badge('2', authority)]
  authority.revoke(one.revocation?.witness.e, 2)
  const updated = await tryUpdate(authority, [one, two])
  assert.equal(updated.changed.get('1'), { witness: one.revocation?.witness, isRevoked: true })
  assertRight(updated, '2', 3, two)
  const again = await tryUpdate(authority, [
    { ...one, revocation: { ...one.revocation, isRevoked: true } } as Held,
  ])
  assert.equal([again.changed.size, again.outdated.size], [0, 0])
})

Witnesses('what is older than the witness, or says nothing about its key, changes nothing', async () => {
  const authority = createAuthority(BADGE)
  const before = authority.update(16)
  authority.revoke(undefined, 1)
  const one = badge('1', authority)
  const forever = unsigned('2', BADGE, { level: '1' })
  for (const latest of [() => before, () => authority.update(16), () => null]) {
    const { changed, outdated, asked } = await tryUpdate(authority, [one, forever], { latest })
    assert.equal([changed.size, outdated.size, asked], [0, 0, []])
  }
})

const FOREIGN = createAuthority(BADGE)
FOREIGN.revoke(undefined, 40)
const flipped = ({ signed, events }: RevocationUpdate): RevocationUpdate => ({
  signed: { ...signed, data: signed.data.map((byte, i) => (i === signed.data.length - 1 ? byte ^ 1 : byte)) },
  events,
})

const WRONG: readonly (readonly [what: string, tried: (authority: Authority) => Try])[] = [
  ['an accumulator whose signature is wrong', own => ({ latest: () => flipped(own.update(40)) })],
  [
    'an accumulator that says another key',
    own => ({ latest: () => ({ ...own.update(40), signed: { ...own.update(0).signed, keyCounter: 1 } }) }),
  ],
  [
    'an accumulator of another issuer',
    () => ({ latest: () => createAuthority('svc-demo.gov.permit').update(1) }),
  ],
  [
    'events that the accumulator does not sign',
    own => ({ latest: () => ({ ...own.update(40), events: FOREIGN.update(40).events }) }),
  ],
  [
    'no events, and nobody who has them',
    () => ({ events: () => Promise.reject(new SessionError('transport', '')) }),
  ],
  [
    'events fetched that do not join on',
    () => ({ events: async (_, __, from, to) => FOREIGN.events(from, to + 1) }),
  ],
  ['too few events fetched', own => ({ events: async (_, __, from, to) => own.events(from + 1, to + 1) })],
  [
    'too few events fetched, at the end',
    own => ({ events: async (_, __, from, to) => own.events(from, to) }),
  ],
]

for (const [what, tried] of WRONG)
  Witnesses(`${what}: the instance stays behind, as it was`, async () => {
    const authority = createAuthority(BADGE)
    const one = badge('1', authority)
    authority.revoke(undefined, 40)
    const { changed, outdated } = await tryUpdate(authority, [one], tried(authority))
    assert.equal([changed.size, [...outdated]], [0, ['1']])
  })

Witnesses('an issuer that began anew with another accumulator says nothing about the old one', async () => {
  const authority = createAuthority(BADGE)
  const one = badge('1', authority)
  const anew = createAuthority(BADGE, 60)
  const { changed, outdated } = await tryUpdate(authority, [one], { latest: () => anew.update(1) })
  assert.equal([changed.size, [...outdated]], [0, ['1']])
})

Witnesses('an accumulator that is only newer takes the place of the old one', async () => {
  const authority = createAuthority(BADGE)
  const one = badge('1', authority)
  authority.resign(60)
  const updated = await tryUpdate(authority, [one])
  assertRight(updated, '1', 0, one)
  const { witness } = updated.changed.get('1') ?? {}
  assert.is(witness && readAccumulator(witness.signed).atSec, NOW_SEC + 60)
})

Witnesses(
  'an instance that needs no more than the update has goes on without those who have the rest',
  async () => {
    const authority = createAuthority(BADGE)
    const old = badge('1', authority)
    authority.revoke(undefined, 30)
    const younger = badge('2', authority)
    authority.revoke(undefined, 3)
    const events = () => Promise.reject(new SessionError('transport', 'no answer'))
    const updated = await tryUpdate(authority, [old, younger], { events })
    assert.equal([...updated.outdated], ['1'])
    assertRight(updated, '2', 33, younger)
  },
)

Witnesses('an error of ours is none of theirs', async () => {
  const authority = createAuthority(BADGE)
  const one = badge('1', authority)
  const latest = () => {
    throw new TypeError('ours')
  }
  let error: unknown
  await tryUpdate(authority, [one], { latest }).catch((each: unknown) => {
    error = each
  })
  assert.instance(error, TypeError)
})

Witnesses.run()
