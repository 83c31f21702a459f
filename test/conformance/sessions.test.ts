import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import type { Json } from './json.ts'
import { CONTEXT, disclosure, issuance, OVER18, signature } from './requests.ts'
import { type CreatedSession, startService } from './service.ts'

const service = await startService()
const VERSIONS = { 'X-Svc-Minprotocolversion': '2.4', 'X-Svc-Maxprotocolversion': '2.8' }
const BODY = { 'Content-Type': 'application/json' }

const status = async ({ requestor }: CreatedSession): Promise<Json> =>
  (await service.get(`${requestor}/status`)).json

async function withPairing(session: CreatedSession): Promise<void> {
  const body = { '@context': `${CONTEXT}/ld/request/frontendoptions/v1`, pairingMethod: 'pin' }
  const headers = { ...session.authorization, ...BODY }
  assert.is((await service.call('POST', `${session.frontend}/options`, { headers, body })).status, 200)
}

const States = suite('spec/interface#3: states and transitions')

States('3 creation: INITIALIZED, and the session package', async () => {
  const session = await service.create(disclosure())
  assert.is(await status(session), 'INITIALIZED')
  assert.ok(session.requestorToken)
})

States('3 the app connects: CONNECTED, and the answer holds the session request', async () => {
  const session = await service.create(disclosure())
  const { json } = await service.get(session.app, VERSIONS)
  assert.equal(Object(json).request.disclose, [[[OVER18]]])
  assert.is(await status(session), 'CONNECTED')
})

States(
  '3 the app connects with pairing: PAIRING, and the answer holds the code, not the request',
  async () => {
    const session = await service.create(disclosure())
    await withPairing(session)
    const { json } = await service.get(session.app, VERSIONS)
    assert.is(Object(json).options.pairingCode, '0815')
    assert.is(Object(json).request, undefined)
    assert.is(await status(session), 'PAIRING')
  },
)

States('3 pairingcompleted: CONNECTED, 204, and the app fetches the request', async () => {
  const session = await service.create(disclosure())
  await withPairing(session)
  await service.get(session.app, VERSIONS)
  const headers = session.authorization
  const answer = await service.call('POST', `${session.frontend}/pairingcompleted`, { headers })
  assert.equal([answer.status, answer.text], [204, ''])
  assert.is(await status(session), 'CONNECTED')
  assert.equal(Object((await service.get(`${session.app}/request`)).json).disclose, [[[OVER18]]])
})

States('3 submission: DONE once it is handled, and the result can be read', async () => {
  for (const request of [disclosure(), signature(), issuance()]) {
    const session = await service.create(request)
    await service.answer(session)
    assert.is(await status(session), 'DONE')
    assert.is(Object((await service.get(`${session.requestor}/result`)).json).proofStatus, 'VALID')
  }
})

/** A session in each open status. */
async function open(): Promise<Record<string, CreatedSession>> {
  const [INITIALIZED, PAIRING, CONNECTED] = await Promise.all(
    [1, 2, 3].map(() => service.create(disclosure())),
  )
  if (!INITIALIZED || !PAIRING || !CONNECTED) throw new Error('three were asked for')
  await withPairing(PAIRING)
  for (const session of [PAIRING, CONNECTED]) await service.get(session.app, VERSIONS)
  return { INITIALIZED, PAIRING, CONNECTED }
}

States('3 time passes: TIMEOUT of every open status after 300 seconds', async () => {
  const sessions = Object.entries(await open())
  service.clock.advance(299_999)
  for (const [name, session] of sessions) assert.is(await status(session), name)
  service.clock.advance(1)
  for (const [, session] of sessions) assert.is(await status(session), 'TIMEOUT')
})

States('3 DELETE by app, requestor or frontend: CANCELLED from every open status', async () => {
  for (const name of ['INITIALIZED', 'PAIRING', 'CONNECTED'])
    for (const path of ['app', 'requestor'] as const) {
      const { [name]: session } = await open()
      if (!session) throw new Error(name)
      assert.is((await service.call('DELETE', session[path])).status, 200)
      assert.is(await status(session), 'CANCELLED')
    }
})

States('3 an error of an app endpoint: CANCELLED, and a remote error is returned', async () => {
  const { INITIALIZED, CONNECTED } = await open()
  if (!INITIALIZED || !CONNECTED) throw new Error('open')
  const tooNew = { 'X-Svc-Minprotocolversion': '9.0', 'X-Svc-Maxprotocolversion': '9.1' }
  assert.is(Object((await service.get(INITIALIZED.app, tooNew)).json).error, 'PROTOCOL_VERSION')
  const broken = await service.call('POST', `${CONNECTED.app}/proofs`, { headers: BODY, body: '{' })
  assert.is(Object(broken.json).error, 'MALFORMED_INPUT')
  for (const session of [INITIALIZED, CONNECTED]) assert.is(await status(session), 'CANCELLED')
})

States('3 final: no transition leaves DONE, TIMEOUT and CANCELLED', async () => {
  const TIMEOUT = await service.create(disclosure())
  service.clock.advance(300_000)
  const [DONE, CANCELLED] = [await service.create(disclosure()), await service.create(disclosure())]
  await service.answer(DONE)
  await service.call('DELETE', CANCELLED.app)
  service.clock.advance(91_000) // an answer is repeated for 90 s
  for (const [name, session] of Object.entries({ DONE, TIMEOUT, CANCELLED })) {
    await service.call('DELETE', session.app)
    await service.get(session.app, VERSIONS)
    await service.call('POST', `${session.app}/proofs`, { headers: BODY, body: '{' })
    assert.is(await status(session), name)
  }
})

States('3 after a final status: kept for 5 minutes, then SESSION_UNKNOWN', async () => {
  const session = await service.create(disclosure())
  await service.call('DELETE', session.app)
  service.clock.advance(299_999)
  assert.is(await status(session), 'CANCELLED')
  service.clock.advance(1)
  for (const path of ['status', 'result', 'statusevents']) {
    const answer = await service.get(`${session.requestor}/${path}`)
    assert.equal([answer.status, Object(answer.json).error], [400, 'SESSION_UNKNOWN'])
  }
})

States.after(() => service.close())
States.run()
