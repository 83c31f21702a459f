/** Requests for proofs of non-revocation over HTTP (spec/session-server#7.1 and #9.3; spec/cryptography#14.6): the messages to the app, and the
 *  outcome if there is nothing to send. @module */
import * as assert from 'uvu/assert'
import type { Revocation } from '../../actors/revocation/revocation.ts'
import { RevocationError, UnavailableError } from '../../protocol/errors.ts'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import { writeJson } from '../../protocol/json.ts'
import { writeUpdate } from '../../protocol/revocation-json.ts'
import { updateAt } from '../sessions/accumulators.ts'
import { suite } from '../suite.ts'
import { appHeaders, type ServerOfTest, withServer } from './harness.ts'

const BADGE = 'svc-demo.fast.badge'
const MEMBERS = { disclose: [[[`${BADGE}.level`]]], revocation: { [BADGE]: { tolerance: 30 } } }
const update = updateAt({ index: 2, atSec: 1_780_000_000 })
const SENT = writeJson({ [BADGE]: { tolerance: 30, updates: { 0: writeUpdate(update) } } })

/** A revocation that records its calls. */
function source(answer: () => Awaited<ReturnType<Revocation['updates']>> = () => new Map([[0, update]])) {
  const asked: unknown[] = []
  const revocation: Partial<Revocation> = {
    async updates(type, toleranceSec) {
      asked.push([type, toleranceSec])
      return answer()
    },
    refreshedAtSec: (_, counter) => 1_780_000_100 + counter,
  }
  return { asked, revocation }
}

async function statusOf(server: ServerOfTest, session: Parameters<ServerOfTest['rowOf']>[0]) {
  return (await server.rowOf(session)).status
}

const Updates = suite('requests for proofs of non-revocation')

Updates(
  '14.6: the latest updates are sent when the app connects, and stored with the time of their refresh',
  () => {
    const { asked, revocation } = source()
    return withServer({ revocation }, async server => {
      const session = await server.create(MEMBERS)
      assert.equal(asked, [])
      const { text } = await server.call('GET', session.app, { headers: appHeaders() })
      assert.match(text, `"protocolVersion":"2.8","revocation":${SENT},"devMode":true`)
      assert.equal(asked, [[BADGE, 30]])
      const sent = (await server.rowOf(session)).sentUpdates?.value
      assert.equal(sent?.get(parseCredentialTypeId(BADGE))?.get(0), {
        index: 2,
        refreshedAtSec: 1_780_000_100,
        update: JSON.parse(writeJson(writeUpdate(update))),
      })
    })
  },
)

Updates('a repeated first GET gets the updates that were sent before, without a new look-up', () => {
  const { asked, revocation } = source()
  return withServer({ revocation }, async server => {
    const session = await server.create(MEMBERS)
    const first = await server.call('GET', session.app, { headers: appHeaders() })
    const again = await server.call('GET', session.app, { headers: appHeaders() })
    assert.equal([again.status, again.text], [200, first.text])
    assert.is(asked.length, 1)
    const fetched = await server.call('GET', `${session.app}/request`, { headers: appHeaders() })
    assert.match(fetched.text, `"revocation":${SENT},`)
    assert.is(asked.length, 1)
  })
})

Updates('if updates are temporarily not available, the call is answered with 503 and nothing changes', () => {
  let isAvailable = false
  const { revocation } = source(() => {
    if (isAvailable) return new Map([[0, update]])
    throw new UnavailableError('not now')
  })
  return withServer({ revocation }, async server => {
    const session = await server.create(MEMBERS)
    const first = await server.call('GET', session.app, { headers: appHeaders() })
    assert.equal([first.status, await statusOf(server, session)], [503, 'INITIALIZED'])
    isAvailable = true
    assert.is((await server.call('GET', session.app, { headers: appHeaders() })).status, 200)
  })
})

Updates('with pairing the updates are read when the app connects, and sent with the session request', () => {
  const { asked, revocation } = source()
  return withServer({ revocation }, async server => {
    const session = await server.create(MEMBERS)
    const { frontend, authorization } = session
    const body = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'pin' }
    await server.call('POST', `${frontend}/options`, { headers: authorization, body })
    const first = await server.call('GET', session.app, { headers: appHeaders() })
    assert.not.match(first.text, 'revocation')
    assert.is(asked.length, 1)
    await server.call('POST', `${frontend}/pairingcompleted`, { headers: authorization })
    const { text } = await server.call('GET', `${session.app}/request`, { headers: appHeaders() })
    assert.match(text, `"revocation":${SENT},`)
    assert.is(asked.length, 1)
  })
})

Updates('a list in `revocation` uses the tolerance of the server; without it no updates are read', () => {
  const { asked, revocation } = source()
  return withServer({ revocation }, async server => {
    const listed = await server.create({ ...MEMBERS, revocation: [BADGE] })
    const { text } = await server.call('GET', listed.app, { headers: appHeaders() })
    assert.match(text, `"revocation":{"${BADGE}":{"updates":{"0":{"sacc":`)
    assert.equal(asked, [[BADGE, 0]])
    const plain = await server.create({ disclose: MEMBERS.disclose })
    const answer = await server.call('GET', plain.app, { headers: appHeaders() })
    assert.not.match(answer.text, 'revocation')
    assert.equal([asked.length, (await server.rowOf(plain)).sentUpdates], [1, null])
  })
})

Updates(
  '9.3: if there never were updates, 500 REVOCATION, and the session is CANCELLED (spec/decisions#d16)',
  () => {
    const { revocation } = source(() => {
      throw new RevocationError('no data')
    })
    return withServer({ revocation }, async server => {
      const session = await server.create(MEMBERS)
      const answer = await server.call('GET', session.app, { headers: appHeaders() })
      assert.is(answer.status, 500)
      assert.is(Object(answer.json).error, 'REVOCATION')
      assert.is(await statusOf(server, session), 'CANCELLED')
      const { json } = await server.call('GET', `${session.requestor}/result`)
      assert.is(Object(json).error, 'REVOCATION: no data')
    })
  },
)

Updates('earlier checks of 9.3 come first: no version in common, no authorization', () => {
  const { revocation } = source(() => {
    throw new RevocationError('no data')
  })
  return withServer({ revocation }, async server => {
    const session = await server.create(MEMBERS)
    const answer = await server.call('GET', session.app, { headers: appHeaders('2.4', '2.5') })
    assert.is(Object(answer.json).error, 'PROTOCOL_VERSION')
    assert.is(await statusOf(server, session), 'CANCELLED')
  })
})

Updates('a bug of this server is not stored as the answer: nothing changes, and the app may retry', () => {
  let isBroken = true
  const { revocation } = source(() => {
    if (isBroken) throw new Error('the store failed')
    return new Map([[0, update]])
  })
  return withServer({ revocation }, async server => {
    const session = await server.create(MEMBERS)
    const answer = await server.call('GET', session.app, { headers: appHeaders() })
    assert.equal([answer.status, Object(answer.json).error], [500, 'INTERNAL_ERROR'])
    assert.is(await statusOf(server, session), 'INITIALIZED')
    isBroken = false
    assert.is((await server.call('GET', session.app, { headers: appHeaders() })).status, 200)
  })
})

Updates.run()
