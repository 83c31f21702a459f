import * as assert from 'uvu/assert'
import { elapse } from '../actors/node.ts'
import type { Answer, Stream } from '../http/client.ts'
import { suite } from '../suite.ts'
import { CONTEXT, disclosure, OVER18, signature, WEEK_SEC } from './requests.ts'
import { type CreatedSession, NOW_SEC, startService } from './service.ts'

const service = await startService()
const VERSIONS = { 'X-Svc-Minprotocolversion': '2.4', 'X-Svc-Maxprotocolversion': '2.8' }
const BODY = { 'Content-Type': 'application/json' }
const status = async ({ requestor }: CreatedSession): Promise<string> =>
  (await service.get(`${requestor}/status`)).text

async function rest(stream: Stream): Promise<string[]> {
  const frames: string[] = []
  for (let frame = await stream.next(); frame !== null; frame = await stream.next()) frames.push(frame)
  return frames
}

const Events = suite('spec/interface#6: events')

Events('6 requestor statusevents: the new status as a JSON string, whenever it changes', async () => {
  const session = await service.create(disclosure())
  const stream = await service.open(`${session.requestor}/statusevents`)
  await service.answer(session)
  assert.equal(await rest(stream), ['event: open', 'data: "CONNECTED"', 'data: "DONE"'])
})

Events('6 app statusevents: the same', async () => {
  const session = await service.create(disclosure())
  const stream = await service.open(`${session.app}/statusevents`)
  await service.answer(session)
  assert.equal(await rest(stream), ['event: open', 'data: "CONNECTED"', 'data: "DONE"'])
})

Events('6 frontend statusevents: an object in the form of the frontend status', async () => {
  const session = await service.create(disclosure())
  const stream = await service.open(`${session.frontend}/statusevents`, session.authorization)
  await service.get(session.app, VERSIONS)
  await service.call('DELETE', session.app)
  assert.equal(await rest(stream), [
    'event: open',
    'data: {"status":"CONNECTED"}',
    'data: {"status":"CANCELLED"}',
  ])
})

Events('6 nextSession: the result is posted to its url; the answer must hold a request', async () => {
  const next = { request: disclosure(), nextSession: { url: 'https://shop.example/next' } }
  service.nextAnswers.push({ status: 200, text: JSON.stringify(signature()) })
  assert.is((await service.answer(await service.create(next))).outcome.chainLink, 2)
  service.nextAnswers.push({ status: 200, text: '{}' })
  const session = await service.create(next)
  assert.is((await service.answer(session)).call('POST', '/proofs').got.error, 'NEXT_SESSION')
  assert.is(await status(session), '"CANCELLED"')
})

Events('6 callbackUrl: the session result is posted, with whatever final status', async () => {
  const before = service.callbacks.length
  const asked = { request: disclosure(), timeout: 20, callbackUrl: 'https://shop.example/done' }
  const create = () => service.create(asked)
  const done = await create()
  await service.answer(done)
  const cancelled = await create()
  await service.call('DELETE', cancelled.requestor)
  const timedOut = await create()
  await elapse(service.clock, 20_000)
  const posted = service.callbacks.slice(before).map(({ body }) => JSON.parse(body))
  for (const [i, session] of [done, cancelled, timedOut].entries())
    assert.equal(posted[i], (await service.get(`${session.requestor}/result`)).json)
  assert.equal(
    posted.map(({ status, proofStatus }) => [status, proofStatus]),
    [
      ['DONE', 'VALID'],
      ['CANCELLED', undefined],
      ['TIMEOUT', undefined],
    ],
  )
})

Events.run()

const Errors = suite('spec/interface#7: errors')
const unknown = (): Promise<Answer> => service.get('/session/abcdefghijABCDEFGHIJ/result')

Errors('7 status: the HTTP status', async () => {
  for (const answer of [await unknown(), await service.get('/nothing'), await service.post('{')])
    assert.is(Object(answer.json).status, answer.status)
})

Errors('7 error: the type', async () => {
  assert.is(Object((await unknown()).json).error, 'SESSION_UNKNOWN')
})

Errors('7 description: in English', async () => {
  assert.is(Object((await unknown()).json).description, 'Unknown or expired session')
})

Errors('7 message: further information, where there is some', async () => {
  assert.is(Object((await unknown()).json).message, undefined)
  const refused = await service.post(disclosure({ disclose: [] }))
  assert.match(Object(refused.json).message, /Disclosure request had no attributes/)
})

Errors('7 stacktrace: only in verbose mode', async () => {
  assert.is(Object((await unknown()).json).stacktrace, undefined)
  const verbose = await startService({ verbosity: 1 })
  assert.type(Object((await verbose.post('{')).json).stacktrace, 'string')
  await verbose.close()
})

Errors('7 unknown or expired session: 400 SESSION_UNKNOWN', async () => {
  const expired = await service.create(disclosure())
  await service.call('DELETE', expired.app)
  service.clock.advance(300_000)
  const fresh = await service.create(disclosure())
  for (const path of [`${expired.requestor}/result`, `${expired.app}/request`, `${fresh.app}/request`]) {
    const { status, json } = await service.get(path)
    assert.equal([status, Object(json).error], [400, 'SESSION_UNKNOWN'])
  }
  assert.is((await unknown()).status, 400)
})

Errors('7 any error of an app endpoint: CANCELLED, and the app is told', async () => {
  const other = await service.create(disclosure())
  await service.get(other.app, VERSIONS)
  const broken = await service.call('POST', `${other.app}/proofs`, { headers: BODY, body: 'x' })
  assert.equal([broken.status, Object(broken.json).error], [400, 'MALFORMED_INPUT'])
  assert.is(await status(other), '"CANCELLED"')
})

Errors(
  '7 proofs not valid: another proofStatus in the answer and in the result, which is an error for the app',
  async () => {
    const session = await service.create(disclosure())
    const { outcome, call } = await service.answer(session, { tamper: body => ({ ...body, indices: [[]] }) })
    assert.equal(call('POST', '/proofs').got, { proofStatus: 'MISSING_ATTRIBUTES' })
    const { proofStatus } = Object((await service.get(`${session.requestor}/result`)).json)
    assert.equal([proofStatus, outcome.status], ['MISSING_ATTRIBUTES', 'failed'])
  },
)

Errors(
  '7 frontend options in the wrong way or too late, pairing completed outside PAIRING: an error',
  async () => {
    const session = await service.create(disclosure())
    const headers = { ...session.authorization, ...BODY }
    const post = (end: string, body: object) =>
      service.call('POST', `${session.frontend}/${end}`, { headers, body })
    const options = { '@context': `${CONTEXT}/ld/request/frontendoptions/v1`, pairingMethod: 'pin' }
    const wrong = [
      await post('options', { ...options, pairingMethod: 'smoke' }),
      await post('pairingcompleted', {}),
    ]
    await service.get(session.app, VERSIONS)
    wrong.push(await post('options', options), await post('pairingcompleted', {}))
    for (const answer of wrong)
      assert.equal([answer.status, Object(answer.json).error], [403, 'UNEXPECTED_REQUEST'])
    assert.is(await status(session), '"CONNECTED"')
  },
)

Errors('7 the app aborts: it calls DELETE, and the session is CANCELLED', async () => {
  const session = await service.create(disclosure())
  const { calls } = await service.answer(session, { consent: async () => ({ answer: 'refuse' }) })
  assert.is(calls.at(-1)?.method, 'DELETE')
  assert.is(await status(session), '"CANCELLED"')
})

Errors.run()

const Limits = suite('spec/interface#8: limits')

Limits('8 timeout: 300 seconds by default, in INITIALIZED, PAIRING and CONNECTED', async () => {
  const session = await service.create(disclosure())
  service.clock.advance(200_000)
  await service.get(session.app, VERSIONS)
  service.clock.advance(299_999)
  assert.is(await status(session), '"CONNECTED"') // the timeout restarts with the status
  service.clock.advance(1)
  assert.is(await status(session), '"TIMEOUT"')
})

Limits('8 retention: 5 minutes after a final status, then SESSION_UNKNOWN', async () => {
  const { requestor, app } = await service.create(disclosure())
  await service.call('DELETE', app)
  service.clock.advance(299_999)
  assert.is((await service.get(`${requestor}/result`)).status, 200)
  service.clock.advance(1)
  assert.is(Object((await service.get(`${requestor}/result`)).json).error, 'SESSION_UNKNOWN')
})

Limits('8 pairing code: 4 digits', async () => {
  const session = await service.create(disclosure())
  const body = { '@context': `${CONTEXT}/ld/request/frontendoptions/v1`, pairingMethod: 'pin' }
  const { json } = await service.call('POST', `${session.frontend}/options`, {
    headers: session.authorization,
    body,
  })
  assert.match(Object(json).pairingCode, /^[0-9]{4}$/)
})

Limits('8 inner conjunction: at most one credential type contributes more than one attribute', async () => {
  const two = ['svc-demo.fast.note.text', 'svc-demo.fast.note.extra']
  const others = ['svc-demo.gov.address.city', OVER18]
  assert.is((await service.post(disclosure({ disclose: [[[...two, ...others]]] }))).status, 200)
  const over = [[[...two, ...others, 'svc-demo.gov.address.street']]]
  assert.is((await service.post(disclosure({ disclose: over }))).status, 400)
})

Limits('8 week: dates of credentials are whole weeks', async () => {
  for (const { signedAtSec, expiresAtSec } of service.wallet.credentials())
    assert.equal([signedAtSec % WEEK_SEC, expiresAtSec % WEEK_SEC, signedAtSec <= NOW_SEC], [0, 0, true])
})

Limits.after(() => service.close())
Limits.run()
