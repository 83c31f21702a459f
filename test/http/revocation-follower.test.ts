/** A server that asks another one about revocation (cryptography 14.7, 14.8), over HTTP: it knows what the authority knows, or says how old that is. @module */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../actors/clock.ts'
import type { RevocationSettings } from '../../actors/revocation/revocation.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { type RevocationUpdate, verifyUpdate } from '../../crypto/revocation/accumulator.ts'
import { firstUpdate } from '../../crypto/revocation/authority.ts'
import { isWitnessRight, updateWitness } from '../../crypto/revocation/witness.ts'
import { issuerOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import { decodeEvents, encodeUpdates } from '../../protocol/revocation-cbor.ts'
import { BADGE, credential, NOW_SEC, there } from '../actors/authority.ts'
import { elapse } from '../actors/node.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { pool, type RevocationServer, schemes, startRevocationServer } from './revocation-server.ts'

const PERMIT = parseCredentialTypeId('svc-demo.gov.permit')
const arithmetic = chooseArithmetic('auto')

const key = there(schemes.publicKey(issuerOf(BADGE), 0))

function following(serverUrl: string, changes: Partial<RevocationSettings> = {}): RevocationSettings {
  return { isAuthority: false, isServer: true, serverUrl, toleranceSec: null, hasStream: false, ...changes }
}

type Pair = { readonly authority: RevocationServer; readonly follower: RevocationServer }

async function withPair(
  use: (pair: Pair) => Promise<void>,
  changes?: Partial<RevocationSettings>,
): Promise<void> {
  const clock = createSimulatedClock(NOW_SEC * 1_000)
  const authority = await startRevocationServer({ clock })
  const settings = [[BADGE, following(authority.url, changes)]] as const
  const follower = await startRevocationServer({ clock, settings })
  try {
    await use({ authority, follower })
  } finally {
    await follower.close()
    await authority.close()
  }
}

async function latest({ revocation }: RevocationServer): Promise<RevocationUpdate> {
  return there((await revocation.updates(BADGE, 0)).get(0))
}

/** A server that answers every call with these bytes; null: not at all. */
async function withOther(bytes: () => Uint8Array | null, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => {
    const body = bytes()
    if (body) response.setHeader('Content-Type', 'text/event-stream').end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  try {
    await use(`http://127.0.0.1:${port}/svc`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const Follower = suite('a server that asks the authority')
Follower.after(() => pool.close())

Follower('knows what the authority knows, and asks again when that is older than half of the tolerance', () =>
  withPair(async ({ authority, follower }) => {
    const witness = await authority.revocation.issue(credential('k'))
    assert.is(verifyUpdate(await latest(follower), key).index, 0)
    assert.is(follower.revocation.refreshedAtSec(BADGE, 0), NOW_SEC)
    await authority.revocation.revoke(BADGE, 'k', null)
    assert.is(verifyUpdate(await latest(follower), key).index, 0, 'fresh enough')
    await elapse(follower.clock, 300_001)
    const update = await latest(follower)
    assert.is(updateWitness(arithmetic, witness, update, key), 'revoked')
    assert.is(follower.revocation.refreshedAtSec(BADGE, 0), NOW_SEC + 300)
    await authority.revocation.issue(credential('l'))
    await authority.revocation.revoke(BADGE, 'l', null)
    await elapse(follower.clock, 16_000)
    const strict = there((await follower.revocation.updates(BADGE, 30)).get(0))
    assert.is(verifyUpdate(strict, key).index, 2, 'a session may be stricter')
    assert.equal(follower.reports, [])
  }),
)

Follower('looks every 10 s by itself whether what it knows has become too old (14.8)', () =>
  withPair(async ({ follower }) => {
    const refreshedAtSec = () => follower.revocation.refreshedAtSec(BADGE, 0)
    const comesTo = async (expectedSec: number) => {
      for (let i = 0; i < 1_000 && refreshedAtSec() !== expectedSec; i++) await elapse(follower.clock, 0)
      assert.is(refreshedAtSec(), expectedSec)
    }
    await comesTo(NOW_SEC)
    await elapse(follower.clock, 300_000)
    assert.is(refreshedAtSec(), NOW_SEC, 'half of 600 s is not too old')
    await elapse(follower.clock, 10_000)
    await comesTo(NOW_SEC + 310)
  }),
)

Follower('tells others what it knows, all events among it', () =>
  withPair(async ({ authority, follower }) => {
    const path = `/svc/revocation/${BADGE}/events/0/0/48`
    await latest(follower)
    for (let i = 0; i < 40; i++) await authority.revocation.issue(credential(`k${i % 2}`))
    await authority.revocation.revoke(BADGE, 'k0', null)
    await authority.revocation.revoke(BADGE, 'k1', null)
    await elapse(follower.clock, 300_001)
    assert.is((await latest(follower)).events.length, 16)
    const [theirs, ours] = [await authority.get(path), await follower.get(path)]
    assert.is(decodeEvents(ours.bytes).length, 41)
    assert.equal(ours.bytes, theirs.bytes)
    assert.is((await follower.post(`/svc/revocation/${BADGE}/issuancerecord/0`, 'x')).status, 400)
    assert.equal(follower.reports, [])
  }),
)

Follower('issues with a witness of the latest accumulator, and the authority can revoke it', () =>
  withPair(async ({ authority, follower }) => {
    await authority.revocation.issue(credential('other'))
    await authority.revocation.revoke(BADGE, 'other', null)
    const witness = await follower.revocation.issue(credential('k'))
    assert.ok(isWitnessRight(arithmetic, witness, key))
    assert.is(verifyUpdate({ signed: witness.signed, events: [] }, key).index, 1)
    await authority.revocation.revoke(BADGE, 'k', null)
    assert.is(updateWitness(arithmetic, witness, await latest(authority), key), 'revoked')
    assert.match(await rejection(follower.revocation.revoke(BADGE, 'k', null)), /cannot revoke/)
  }),
)

Follower('issues nothing when the authority does not take the record', () =>
  withPair(async ({ authority, follower }) => {
    await latest(follower)
    await authority.close()
    const failure = await rejection(follower.revocation.issue(credential('secret key')))
    assert.match(
      failure,
      /^IssuanceFailed: revocation of svc-demo.fast.badge: the issuance record was not taken/,
    )
    assert.not.match(failure, /secret key|127\.0\.0\.1/)
  }),
)

Follower('gives what it knows while the authority is away, and says how old it is', () =>
  withPair(async ({ authority, follower }) => {
    const before = await latest(follower)
    await authority.close()
    follower.clock.advance(3_600_000)
    assert.equal(await latest(follower), before)
    assert.is(follower.revocation.refreshedAtSec(BADGE, 0), NOW_SEC)
    assert.ok(follower.reports.length > 0)
  }),
)

Follower(
  'gives what it knows while the authority does not answer, within 2 s; what comes later counts for the next',
  async () => {
    const clock = createSimulatedClock(NOW_SEC * 1_000)
    const authority = await startRevocationServer({ clock })
    let asked = (_: () => void): void => {}
    const late = createServer((call, response) => {
      fetch(`${authority.url}${call.url?.replace('/svc', '')}`)
        .then(answer => answer.arrayBuffer())
        .then(bytes => asked(() => response.end(new Uint8Array(bytes))))
    })
    await new Promise<void>(resolve => late.listen(0, '127.0.0.1', resolve))
    const { port } = late.address() as AddressInfo // it listens on a port
    const settings = [[BADGE, following(`http://127.0.0.1:${port}/svc`)]] as const
    const follower = await startRevocationServer({ clock, settings })
    const nextCall = () =>
      new Promise<() => void>(resolve => {
        asked = resolve
      })
    const answerFirst = nextCall()
    const unknown = rejection(follower.revocation.updates(BADGE, 0))
    const answer = await answerFirst
    clock.advance(2_000)
    assert.match(await unknown, /^RevocationError: .*no accumulator so far/)
    answer()
    while (follower.revocation.refreshedAtSec(BADGE, 0) === null) await elapse(clock, 0)
    clock.advance(300_001)
    const answerSecond = nextCall()
    const known = latest(follower)
    const answerAgain = await answerSecond
    clock.advance(2_000)
    assert.is(verifyUpdate(await known, key).index, 0)
    answerAgain()
    await follower.close()
    await authority.close()
    late.close()
    late.closeAllConnections()
  },
)

Follower('asks again after the clock was set back', () =>
  withPair(async ({ authority, follower }) => {
    await latest(follower)
    await authority.revocation.issue(credential('k'))
    await authority.revocation.revoke(BADGE, 'k', null)
    follower.clock.advance(-100_000)
    assert.is(verifyUpdate(await latest(follower), key).index, 1)
  }),
)

Follower('what was never known is an error', async () => {
  const settings = [[BADGE, following('http://127.0.0.1:9/svc')]] as const
  const server = await startRevocationServer({ settings })
  assert.match(
    await rejection(server.revocation.updates(BADGE, 0)),
    /^RevocationError: .*no accumulator so far/,
  )
  assert.is((await server.get(`/svc/revocation/${BADGE}/update/16`)).status, 500)
  assert.match(await rejection(server.revocation.updates(PERMIT, 0)), /^RevocationError/)
  await server.close()
})

Follower('an accumulator that the issuer has not signed changes nothing', async () => {
  const [permitKey, privateKey] = [issuerOf(PERMIT)].flatMap(id => [
    there(schemes.publicKey(id, 0)),
    there(schemes.privateKey(id, 0)),
  ]) as [never, never]
  const forged = firstUpdate({ key: permitKey, privateKey, nowSec: NOW_SEC }, count =>
    new Uint8Array(count).fill(7),
  )
  await withOther(
    () => encodeUpdates(new Map([[0, forged]])),
    async url => {
      const server = await startRevocationServer({ settings: [[BADGE, following(url)]] })
      assert.match(await rejection(server.revocation.updates(BADGE, 0)), /^RevocationError/)
      assert.is(server.revocation.refreshedAtSec(BADGE, 0), null)
      await server.close()
    },
  )
})

Follower('an old accumulator that is handed out again is not taken for the latest', async () => {
  const authority = await startRevocationServer()
  let bytes = (await authority.get(`/svc/revocation/${BADGE}/update/16`)).bytes
  await authority.revocation.issue(credential('k'))
  await authority.revocation.revoke(BADGE, 'k', null)
  const newer = (await authority.get(`/svc/revocation/${BADGE}/update/16`)).bytes
  await withOther(
    () => bytes,
    async url => {
      const follower = await startRevocationServer({ settings: [[BADGE, following(url)]] })
      assert.is(verifyUpdate(await latest(follower), key).index, 0)
      follower.clock.advance(600_000)
      assert.is(verifyUpdate(await latest(follower), key).index, 0)
      assert.is(follower.revocation.refreshedAtSec(BADGE, 0), NOW_SEC)
      const older = bytes
      bytes = newer
      assert.is(verifyUpdate(await latest(follower), key).index, 1)
      bytes = older
      assert.is(verifyUpdate(await latest(follower), key).index, 1, 'nothing goes back')
      await follower.close()
    },
  )
  await authority.close()
})

Follower(
  'whoever connects does not wait long for a server that hangs, and not at all a moment later',
  async () => {
    const authority = await startRevocationServer()
    let bytes: Uint8Array | null = (await authority.get(`/svc/revocation/${BADGE}/update/16`)).bytes
    await withOther(
      () => bytes,
      async url => {
        const follower = await startRevocationServer({ settings: [[BADGE, following(url)]] })
        const before = await latest(follower)
        bytes = null
        follower.clock.advance(300_001)
        const asked = latest(follower)
        await elapse(follower.clock, 2_000)
        assert.equal(await asked, before)
        while (follower.reports.length === 0) await elapse(follower.clock, 100)
        assert.equal(await latest(follower), before, 'time stands still')
        await follower.close()
      },
    )
    await authority.close()
  },
)

Follower('hears of a revocation at once where it listens to the event stream', () =>
  withPair(
    async ({ authority, follower }) => {
      const witness = await authority.revocation.issue(credential('k'))
      await latest(follower)
      const heard: RevocationUpdate[] = []
      let hear: (update: RevocationUpdate) => void = () => {}
      const revoked = new Promise<RevocationUpdate>(resolve => {
        hear = resolve
      })
      there(follower.revocation.served(BADGE)).watch(update => {
        heard.push(update)
        if (update.events.length > 0) hear(update)
      })
      while (heard.length === 0) await elapse(follower.clock, 60_000) // until the stream is open
      await authority.revocation.revoke(BADGE, 'k', null)
      assert.is(updateWitness(arithmetic, witness, await revoked, key), 'revoked')
      assert.is(verifyUpdate(await latest(follower), key).index, 1)
      assert.equal(follower.reports, [])
    },
    { hasStream: true, toleranceSec: 1_000_000 },
  ),
)

Follower('leaves an event stream that tells what is wrong, and asks once', async () => {
  let calls = 0
  await withOther(
    () => {
      calls++
      return Buffer.from('data: {}\n\n'.repeat(50))
    },
    async url => {
      const follower = await startRevocationServer({
        settings: [[BADGE, following(url, { hasStream: true })]],
      })
      while (follower.reports.length < 3) await elapse(follower.clock, 0)
      for (let turn = 0; turn < 20; turn++) await elapse(follower.clock, 0)
      assert.is(calls, 3, 'at the start, the stream, and after its first event')
      await follower.close()
    },
  )
})

Follower.run()
