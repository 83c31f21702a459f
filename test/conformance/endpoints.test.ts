import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import type { Json } from './json.ts'
import { disclosure, issuance, OVER18, signature } from './requests.ts'
import { type CreatedSession, startService } from './service.ts'
import { startSigningService } from './signing-service.ts'

const { service, publicKeyPem, claimsOf } = await startSigningService()
const VERSIONS = { 'X-Svc-Minprotocolversion': '2.4', 'X-Svc-Maxprotocolversion': '2.8' }

const status = async ({ requestor }: CreatedSession): Promise<Json> =>
  (await service.get(`${requestor}/status`)).json

const Requestor = suite('spec/interface#4.1: requestor endpoints')

Requestor('4.1 POST /session: a session request or an extended one, as JSON or as text', async () => {
  for (const contentType of ['application/json', 'application/json; charset=utf-8', 'text/plain'])
    for (const body of [disclosure(), { request: disclosure(), timeout: 10 }]) {
      const { status, json } = await service.post(body, { 'Content-Type': contentType })
      assert.equal([status, Object.keys(Object(json))], [200, ['sessionPtr', 'token', 'frontendRequest']])
    }
})

Requestor('4.1 DELETE /session/{requestorToken}: CANCELLED', async () => {
  const session = await service.create(disclosure())
  const { status: code, text } = await service.call('DELETE', session.requestor)
  assert.equal([code, text], [200, ''])
  assert.is(await status(session), 'CANCELLED')
})

Requestor('4.1 GET status: a JSON string', async () => {
  const session = await service.create(disclosure())
  assert.is((await service.get(`${session.requestor}/status`)).text, '"INITIALIZED"')
})

Requestor('4.1 GET statusevents: each event is the new status as a JSON string', async () => {
  const session = await service.create(disclosure())
  const stream = await service.open(`${session.requestor}/statusevents`)
  assert.is(await stream.next(), 'event: open')
  await service.answer(session)
  assert.is(await stream.next(), 'data: "CONNECTED"')
  assert.is(await stream.next(), 'data: "DONE"')
  assert.is(await stream.next(), null)
})

Requestor('4.1 GET result: the session result', async () => {
  const session = await service.create(disclosure())
  await service.answer(session)
  const { status: code, json } = await service.get(`${session.requestor}/result`)
  assert.equal([code, Object(json).disclosed[0][0].id], [200, OVER18])
})

Requestor('4.1 GET result-jwt: a signed JWT with the session result', async () => {
  const session = await service.create(disclosure())
  await service.answer(session)
  const { exp, iat, iss, sub, ...result } = claimsOf(
    (await service.get(`${session.requestor}/result-jwt`)).text,
  )
  assert.equal(result, (await service.get(`${session.requestor}/result`)).json)
})

Requestor('4.1 GET getproof: a signed JWT in the older structure', async () => {
  const session = await service.create(disclosure())
  await service.answer(session)
  const { attributes, status } = claimsOf((await service.get(`${session.requestor}/getproof`)).text)
  assert.equal([attributes, status], [{ [OVER18]: 'yes' }, 'VALID'])
})

Requestor('4.1 GET /publickey: the PEM key that verifies those JWTs', async () => {
  const { status, text } = await service.get('/publickey')
  assert.equal([status, text], [200, publicKeyPem])
})

Requestor('4.1 without a JWT private key: the three are refused', async () => {
  const bare = await startService()
  const { requestor } = await bare.create(disclosure())
  for (const path of [`${requestor}/result-jwt`, `${requestor}/getproof`, '/publickey'])
    assert.ok((await bare.get(path)).status >= 500)
  await bare.close()
})

Requestor.run()

const Shared = suite('spec/interface#4.2: endpoints of app and frontend')

Shared('4.2 DELETE: 200 with no body, and CANCELLED', async () => {
  const session = await service.create(disclosure())
  const { status: code, text } = await service.call('DELETE', session.app)
  assert.equal([code, text], [200, ''])
  assert.is(await status(session), 'CANCELLED')
})

Shared('4.2 GET status: as that of the requestor', async () => {
  const session = await service.create(disclosure())
  assert.is((await service.get(`${session.app}/status`)).text, '"INITIALIZED"')
})

Shared('4.2 GET statusevents: as those of the requestor', async () => {
  const session = await service.create(disclosure())
  const stream = await service.open(`${session.app}/statusevents`)
  assert.is(await stream.next(), 'event: open')
  await service.call('DELETE', session.app)
  assert.is(await stream.next(), 'data: "CANCELLED"')
  assert.is(await stream.next(), null)
})

Shared.run()

const App = suite('spec/interface#4.3: endpoints of the wallet app')

App('4.3 GET session: in INITIALIZED; the highest version of both sides is chosen', async () => {
  const session = await service.create(disclosure())
  const answer = await service.get(session.app, { ...VERSIONS, 'X-Svc-Maxprotocolversion': '2.7' })
  assert.is(Object(answer.json).protocolVersion, '2.7')
  const again = await service.get(session.app, VERSIONS)
  assert.equal([again.status, Object(again.json).error], [400, 'SESSION_UNKNOWN'])
})

App('4.3 GET request: in CONNECTED, the session request as delivered', async () => {
  const session = await service.create(disclosure())
  const early = await service.get(`${session.app}/request`)
  assert.equal([early.status, Object(early.json).error], [400, 'SESSION_UNKNOWN'])
  const { json } = await service.get(session.app, VERSIONS)
  assert.equal((await service.get(`${session.app}/request`)).json, Object(json).request)
})

App('4.3 POST proofs: a disclosure message or a signed message', async () => {
  for (const request of [disclosure(), signature()]) {
    const { call } = await service.answer(await service.create(request))
    assert.equal(
      [call('POST', '/proofs').status, call('POST', '/proofs').got],
      [200, { proofStatus: 'VALID' }],
    )
  }
})

App('4.3 POST commitments: an issuance commitment message', async () => {
  const { call } = await service.answer(await service.create(issuance()))
  assert.is(call('POST', '/commitments').got.proofStatus, 'VALID')
})

App('4.3 submission: verified against the nonce of its session, then DONE and the result', async () => {
  const first = await service.create(disclosure())
  const { call } = await service.answer(first)
  const { sent } = call('POST', '/proofs')
  const second = await service.create(disclosure())
  const replayed = await service.answer(second, { tamper: () => sent })
  assert.equal(replayed.call('POST', '/proofs').got, { proofStatus: 'INVALID' })
  assert.equal([await status(first), await status(second)], ['DONE', 'DONE'])
})

App('4.3 SESSION_UNKNOWN: a client token of no session in CONNECTED, HTTP 400', async () => {
  const fresh = await service.create(disclosure())
  const done = await service.create(disclosure())
  await service.answer(done)
  service.clock.advance(91_000) // an answer is repeated for 90 s
  for (const app of ['/svc/session/abcdefghijABCDEFGHIJ', fresh.app, done.app])
    for (const [method, end] of [
      ['GET', 'request'],
      ['POST', 'proofs'],
      ['POST', 'commitments'],
    ] as const) {
      const answer = await service.call(method, `${app}/${end}`, { ...(method === 'POST' && { body: {} }) })
      assert.equal([answer.status, Object(answer.json).error], [400, 'SESSION_UNKNOWN'])
    }
})

App.after(() => service.close())
App.run()
