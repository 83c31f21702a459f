/** A server that follows the revocation of an authority (spec/cryptography#14.7, #14.8), over HTTP. It has the authority's state, or reports the age of its own. @module */
import * as assert from 'uvu/assert'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { type RevocationUpdate, verifyUpdate } from '../../crypto/revocation/accumulator.ts'
import { isWitnessRight, updateWitness } from '../../crypto/revocation/witness.ts'
import { decodeEvents } from '../../protocol/revocation-cbor.ts'
import { BADGE, credential, NOW_SEC, there } from '../actors/authority.ts'
import { elapse } from '../actors/node.ts'
import { rejection } from '../faults/rejection.ts'
import { until } from '../patience.ts'
import { suite } from '../suite.ts'
import { key, latest, withPair } from './following.ts'

const arithmetic = chooseArithmetic('auto')

const Follower = suite('a server that asks the authority')

Follower('has the updates of the authority, and asks again when they are older than half the tolerance', () =>
  withPair(async ({ authority, follower }) => {
    const witness = await authority.revocation.issue(credential('k'))
    assert.is(verifyUpdate(await latest(follower), key).index, 0)
    assert.is(follower.revocation.refreshedAtSec(BADGE, 0), NOW_SEC)
    await authority.revocation.revoke(BADGE, 'k', null)
    await elapse(follower.clock, 300_000)
    assert.is(verifyUpdate(await latest(follower), key).index, 0, 'fresh enough')
    await elapse(follower.clock, 1)
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

Follower('checks every 10 s whether its updates are too old (14.8)', () =>
  withPair(async ({ follower }) => {
    const refreshedAtSec = () => follower.revocation.refreshedAtSec(BADGE, 0)
    const comesTo = async (expectedSec: number) => {
      const isThere = (): boolean => refreshedAtSec() === expectedSec
      await until(isThere, `a refresh at ${expectedSec}`, () => elapse(follower.clock, 0))
    }
    await comesTo(NOW_SEC)
    await elapse(follower.clock, 300_000)
    assert.is(refreshedAtSec(), NOW_SEC, 'half of 600 s is not too old')
    await elapse(follower.clock, 10_000)
    await comesTo(NOW_SEC + 310)
  }),
)

Follower('serves its updates to others, with all events', () =>
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

Follower('issues nothing if the authority does not accept the record', () =>
  withPair(async ({ authority, follower }) => {
    await latest(follower)
    await authority.close()
    const failure = await rejection(follower.revocation.issue(credential('secret key')))
    assert.match(
      failure,
      /^IssuanceFailedError: revocation of svc-demo.fast.badge: the issuance record was not taken/,
    )
    assert.not.match(failure, /secret key|127\.0\.0\.1/)
  }),
)

Follower('serves its last update while the authority is unavailable, and reports its age', () =>
  withPair(async ({ authority, follower }) => {
    const before = await latest(follower)
    await authority.close()
    follower.clock.advance(3_600_000)
    assert.equal(await latest(follower), before)
    assert.is(follower.revocation.refreshedAtSec(BADGE, 0), NOW_SEC)
    assert.ok(follower.reports.length > 0)
  }),
)

Follower('asks again after the clock was set back', () =>
  withPair(async ({ authority, follower }) => {
    await latest(follower)
    await authority.revocation.issue(credential('k'))
    await authority.revocation.revoke(BADGE, 'k', null)
    follower.clock.setWall(-100_000)
    assert.is(verifyUpdate(await latest(follower), key).index, 1)
  }),
)

Follower('gets a revocation at once if it follows the event stream', () =>
  withPair(
    async ({ authority, follower }) => {
      const witness = await authority.revocation.issue(credential('k'))
      await latest(follower)
      const heard: RevocationUpdate[] = []
      let hear: (update: RevocationUpdate) => void = () => {}
      const revoked = new Promise<RevocationUpdate>(resolve => {
        hear = resolve
      })
      there(follower.revocation.served(BADGE)).follow(update => {
        heard.push(update)
        if (update.events.length > 0) hear(update)
      })
      while (heard.length === 0) await elapse(follower.clock, 60_000) // until an event arrives on the stream
      await authority.revocation.revoke(BADGE, 'k', null)
      assert.is(updateWitness(arithmetic, witness, await revoked, key), 'revoked')
      assert.is(verifyUpdate(await latest(follower), key).index, 1)
      assert.equal(follower.reports, [])
    },
    { hasStream: true, toleranceSec: 1_000_000 },
  ),
)

Follower.run()
