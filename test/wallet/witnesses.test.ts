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

Witnesses('the events in a request suffice for a witness that is not far behind', async () => {
  const authority = createAuthority(BADGE)
  const one = badge('1', authority)
  authority.revoke(undefined, 16)
  const updated = await tryUpdate(authority, [one])
  assertRight(updated, '1', 16, one)
  assert.equal([updated.asked, updated.outdated.size], [[], 0])
})

Witnesses('earlier events are fetched once for all instances of the key', async () => {
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

Witnesses('if an update has no events, all missing events are fetched', async () => {
  const authority = createAuthority(BADGE)
  const one = badge('1', authority)
  authority.revoke(undefined, 3)
  const updated = await tryUpdate(authority, [one], { latest: () => authority.update(0) })
  assertRight(updated, '1', 3, one)
  assert.equal(updated.asked, [`${BADGE} 0 1-3`])
})

Witnesses('a revoked credential is marked, and the others of its key are updated', async () => {
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

Witnesses('an update that is not newer than the witness, or a missing one, changes nothing', async () => {
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
  ['an accumulator with a wrong signature', own => ({ latest: () => flipped(own.update(40)) })],
  [
    'an accumulator with another key counter',
    own => ({ latest: () => ({ ...own.update(40), signed: { ...own.update(0).signed, keyCounter: 1 } }) }),
  ],
  [
    'an accumulator of another issuer',
    () => ({ latest: () => createAuthority('svc-demo.gov.permit').update(1) }),
  ],
  [
    'events that do not fit the accumulator',
    own => ({ latest: () => ({ ...own.update(40), events: FOREIGN.update(40).events }) }),
  ],
  [
    'no server has the missing events',
    () => ({ events: () => Promise.reject(new SessionError('transport', '')) }),
  ],
  [
    'fetched events that do not fit those in the update',
    () => ({ events: async (_, __, from, to) => FOREIGN.events(from, to + 1) }),
  ],
  [
    'too few fetched events at the beginning',
    own => ({ events: async (_, __, from, to) => own.events(from + 1, to + 1) }),
  ],
  ['too few fetched events at the end', own => ({ events: async (_, __, from, to) => own.events(from, to) })],
]

for (const [what, tried] of WRONG)
  Witnesses(`${what}: the instance is outdated and unchanged`, async () => {
    const authority = createAuthority(BADGE)
    const one = badge('1', authority)
    authority.revoke(undefined, 40)
    const { changed, outdated } = await tryUpdate(authority, [one], tried(authority))
    assert.equal([changed.size, [...outdated]], [0, ['1']])
  })

Witnesses('a new accumulator history of the issuer does not update a witness of the old one', async () => {
  const authority = createAuthority(BADGE)
  const one = badge('1', authority)
  const anew = createAuthority(BADGE, 60)
  const { changed, outdated } = await tryUpdate(authority, [one], { latest: () => anew.update(1) })
  assert.equal([changed.size, [...outdated]], [0, ['1']])
})

Witnesses('a newer accumulator without new events replaces the old one', async () => {
  const authority = createAuthority(BADGE)
  const one = badge('1', authority)
  authority.resign(60)
  const updated = await tryUpdate(authority, [one])
  assertRight(updated, '1', 0, one)
  const { witness } = updated.changed.get('1') ?? {}
  assert.is(witness && readAccumulator(witness.signed).atSec, NOW_SEC + 60)
})

Witnesses(
  'an instance that needs only the events in the update is updated even if no server has earlier ones',
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

Witnesses('a bug of the wallet is thrown', async () => {
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
