import * as assert from 'uvu/assert'
import type { Answer } from '../http/client.ts'
import { suite } from '../suite.ts'
import { CONTEXT, disclosure, signature } from './requests.ts'
import { type CreatedSession, startService } from './service.ts'

const service = await startService()
const VERSIONS = { 'X-Svc-Minprotocolversion': '2.4', 'X-Svc-Maxprotocolversion': '2.8' }
const REQUEST = { '@context': `${CONTEXT}/ld/request/frontendoptions/v1` }

function post({ frontend, authorization }: CreatedSession, end: string, body?: object): Promise<Answer> {
  return service.call('POST', `${frontend}/${end}`, { headers: authorization, ...(body && { body }) })
}

const Messages = suite('spec/interface#2.10: frontend messages')

Messages('2.10 options request: none by default, or pin; another @context or method is refused', async () => {
  const session = await service.create(disclosure())
  const methodOf = async (body: object): Promise<unknown> =>
    Object((await post(session, 'options', body)).json).pairingMethod
  assert.is(await methodOf({ ...REQUEST, pairingMethod: 'pin' }), 'pin')
  assert.is(await methodOf({ ...REQUEST, pairingMethod: 'none' }), 'none')
  assert.is(await methodOf(REQUEST), 'none')
  for (const body of [{ pairingMethod: 'pin' }, { ...REQUEST, pairingMethod: 'smoke' }])
    assert.ok((await post(session, 'options', body)).status >= 400)
})

Messages('2.10 options response: @context, method, and the code of 4 digits with pin alone', async () => {
  const session = await service.create(disclosure())
  const context = { '@context': `${CONTEXT}/ld/options/v1` }
  const pin = await post(session, 'options', { ...REQUEST, pairingMethod: 'pin' })
  assert.equal(pin.json, { ...context, pairingMethod: 'pin', pairingCode: '0815' })
  const none = await post(session, 'options', { ...REQUEST, pairingMethod: 'none' })
  assert.equal(none.json, { ...context, pairingMethod: 'none' })
})

Messages('2.10 frontend status: status, and nextSession when a chain goes on from DONE', async () => {
  service.nextAnswers.push({ status: 200, text: JSON.stringify(signature()) })
  const session = await service.create({
    request: disclosure(),
    nextSession: { url: 'https://shop.example/next' },
  })
  const status = async (): Promise<unknown> =>
    (await service.get(`${session.frontend}/status`, session.authorization)).json
  assert.equal(await status(), { status: 'INITIALIZED' })
  const { calls } = await service.answer(session)
  const { nextSession } = JSON.parse(calls.find(each => each.path.endsWith('/proofs'))?.text ?? '')
  assert.equal(await status(), { status: 'DONE', nextSession })
})

Messages.run()

const Endpoints = suite('spec/interface#4.4: frontend endpoints')

Endpoints('4.4 Authorization: all of them want the token of this session', async () => {
  const session = await service.create(disclosure())
  const { authorization: other } = await service.create(disclosure())
  for (const headers of [{}, other, { Authorization: session.clientToken }])
    for (const [method, end] of [
      ['GET', 'status'],
      ['GET', 'statusevents'],
      ['POST', 'options'],
      ['POST', 'pairingcompleted'],
    ] as const) {
      const answer = await service.call(method, `${session.frontend}/${end}`, { headers })
      assert.equal([answer.status, Object(answer.json).error], [403, 'UNAUTHORIZED'])
    }
})

Endpoints('4.4 GET status: in any status', async () => {
  const session = await service.create(disclosure())
  const status = async (): Promise<unknown> =>
    (await service.get(`${session.frontend}/status`, session.authorization)).json
  assert.equal(await status(), { status: 'INITIALIZED' })
  await service.get(session.app, VERSIONS)
  assert.equal(await status(), { status: 'CONNECTED' })
  await service.call('DELETE', session.app)
  assert.equal(await status(), { status: 'CANCELLED' })
})

Endpoints('4.4 GET statusevents: each event is a frontend status', async () => {
  const session = await service.create(disclosure())
  const stream = await service.open(`${session.frontend}/statusevents`, session.authorization)
  assert.is(await stream.next(), 'event: open')
  await service.get(session.app, VERSIONS)
  assert.is(await stream.next(), 'data: {"status":"CONNECTED"}')
  stream.leave()
})

Endpoints('4.4 POST options: in INITIALIZED, again and again until the app connects', async () => {
  const session = await service.create(disclosure())
  const body = { ...REQUEST, pairingMethod: 'pin' }
  for (const _ of [1, 2, 3]) assert.is((await post(session, 'options', body)).status, 200)
  await service.get(session.app, VERSIONS)
  const late = await post(session, 'options', body)
  assert.equal([late.status, Object(late.json).error], [403, 'UNEXPECTED_REQUEST'])
})

Endpoints('4.4 POST pairingcompleted: in PAIRING alone; 204, and CONNECTED', async () => {
  const session = await service.create(disclosure())
  const early = await post(session, 'pairingcompleted')
  assert.equal([early.status, Object(early.json).error], [403, 'UNEXPECTED_REQUEST'])
  await post(session, 'options', { ...REQUEST, pairingMethod: 'pin' })
  await service.get(session.app, VERSIONS)
  const done = await post(session, 'pairingcompleted')
  assert.equal([done.status, done.text], [204, ''])
  assert.is((await service.get(`${session.app}/status`)).text, '"CONNECTED"')
})

Endpoints.after(() => service.close())
Endpoints.run()
