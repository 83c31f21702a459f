/** A server follows the revocation of a server with wrong, old, late or no answers (spec/cryptography#14.6 to #14.8), over HTTP. No call waits long for
 *  that server, and data that the issuer has not signed is ignored. @module */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { verifyUpdate } from '../../crypto/revocation/accumulator.ts'
import { firstUpdate } from '../../crypto/revocation/authority.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { issuerOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import { encodeUpdates } from '../../protocol/revocation-cbor.ts'
import { BADGE, credential, NOW_SEC, there } from '../actors/authority.ts'
import { elapse } from '../actors/node.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { following, key, latest, withOther } from './following.ts'
import { schemes, startRevocationServer } from './revocation-server.ts'

const PERMIT = parseCredentialTypeId('svc-demo.gov.permit')

const Bad = suite('a server that asks a bad revocation server')

Bad(
  'serves its last update within 2 s if the authority does not answer; a late answer is used later',
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

Bad('without any update so far, a call is an error', async () => {
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

Bad('an accumulator that the issuer has not signed changes nothing', async () => {
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

Bad('an older accumulator does not replace the latest one', async () => {
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
      assert.is(verifyUpdate(await latest(follower), key).index, 1, 'the index does not decrease')
      await follower.close()
    },
  )
  await authority.close()
})

Bad(
  'a connecting app does not wait long for a hanging server, and the next one does not wait at all',
  async () => {
    const authority = await startRevocationServer()
    const good = (await authority.get(`/svc/revocation/${BADGE}/update/16`)).bytes
    let bytes: Uint8Array | null = good
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
        bytes = good
        while (follower.reports.at(-1) !== 'the revocation server gives usable answers again')
          await elapse(follower.clock, 10_000)
        assert.is(follower.reports.length, 2)
        await follower.close()
      },
    )
    await authority.close()
  },
)

Bad('ends an event stream after an invalid event, and then asks for the update once', async () => {
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
      while (calls < 3) await elapse(follower.clock, 0)
      for (let turn = 0; turn < 20; turn++) await elapse(follower.clock, 0)
      assert.is(calls, 3, 'at the start, the stream, and after its first event')
      assert.is(
        follower.reports.length,
        2,
        'a failure of the updates is logged once, and so is a failure of the stream',
      )
      await follower.close()
    },
  )
})

Bad.run()
