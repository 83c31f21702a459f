import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { CONTEXT, disclosure, issuance, NOTE, note, OVER18, signature } from './requests.ts'
import { startService } from './service.ts'

const service = await startService({
  augmentClientReturnUrl: true,
  permissions: { hostPerms: ['127.0.0.1*', '*.shop.example'] },
})

const TYPES = [
  ['disclosing', disclosure()],
  ['signing', signature()],
  ['issuing', issuance()],
] as const

async function refused(body: unknown, reason: RegExp): Promise<void> {
  const { status, json } = await service.post(body)
  assert.is(status, 400)
  assert.is(Object(json).error, 'INVALID_REQUEST')
  assert.match(Object(json).message, reason)
}

const Package = suite('spec/interface#2.2: session package')

Package('2.2 token: the string with which the requestor reads the result', async () => {
  const { package: answer } = await service.create(disclosure())
  const { token } = Object(answer.json)
  assert.type(token, 'string')
  assert.is((await service.get(`/session/${token}/result`)).status, 200)
})

Package('2.2 sessionPtr: u ends in the client token, svcqr is the type of the session', async () => {
  for (const [type, request] of TYPES) {
    const { package: answer, clientToken } = await service.create(request)
    assert.equal(Object(answer.json).sessionPtr, {
      u: `${service.url}svc/session/${clientToken}`,
      svcqr: type,
    })
    assert.is((await service.get(`/svc/session/${clientToken}/status`)).text, '"INITIALIZED"')
  }
})

Package(
  '2.2 frontendRequest: the token of frontends, and the lowest and highest version for them',
  async () => {
    const { package: answer, frontend } = await service.create(disclosure())
    const { authorization, minProtocolVersion, maxProtocolVersion } = Object(answer.json).frontendRequest
    const status = await service.get(`${frontend}/status`, { Authorization: authorization })
    assert.equal(status.json, { status: 'INITIALIZED' })
    assert.equal([minProtocolVersion, maxProtocolVersion], ['1.0', '1.1'])
  },
)

Package.run()

const Requests = suite('spec/interface#2.3: session requests')

for (const [type, request] of TYPES)
  Requests(`2.3 ${type}: its @context starts a session of that type`, async () => {
    const { package: answer, requestor } = await service.create(request)
    assert.is(Object(answer.json).sessionPtr.svcqr, type)
    assert.is(Object((await service.get(`${requestor}/result`)).json).type, type)
  })

Requests('2.3 @context: required, and whole identifiers are compared', async () => {
  for (const context of [undefined, '', 'x', `${CONTEXT}/ld/request/disclosure/v1`, `${CONTEXT}/`])
    await refused({ ...disclosure(), '@context': context }, /session request/i)
})

Requests('2.3 disclose: required to disclose, optional to sign and to issue', async () => {
  await refused(disclosure({ disclose: undefined }), /had no attributes/)
  for (const request of [signature({ disclose: undefined }), issuance()]) await service.create(request)
  const session = await service.create(issuance({ disclose: [[[NOTE]]] }))
  const { outcome, call } = await service.answer(session, {
    tamper: body => ({ ...body, combinedProofs: body.combinedProofs.slice(1), indices: [] }),
  })
  assert.is(outcome.status, 'failed')
  assert.not.ok(call('POST', '/commitments').got.sigs) // nothing is issued before the required disclosure
})

Requests('2.3 labels: delivered to the app as given', async () => {
  const labels = { '0': { en: 'Your age', nl: 'Je leeftijd' } }
  const { call } = await service.answer(await service.create(disclosure({ labels })))
  assert.equal(call('GET', '').got.request.labels, labels)
})

Requests('2.3 skipExpiryCheck: expired instances of these types may be disclosed', async () => {
  const disclose = [[['svc-demo.uni.student.level']]]
  const skipping = await service.create(disclosure({ disclose, skipExpiryCheck: ['svc-demo.uni.student'] }))
  assert.is((await service.answer(skipping)).outcome.status, 'success')
  const { request } = (await service.answer(await service.create(disclosure({ disclose })))).call(
    'GET',
    '',
  ).got
  assert.is(request.skipExpiryCheck, undefined)
})

Requests('2.3 message: required to sign; what the user signs', async () => {
  await refused(signature({ message: '' }), /empty message/)
  const session = await service.create(signature({ message: 'one < two & "three"' }))
  await service.answer(session)
  const { signature: signed } = Object((await service.get(`${session.requestor}/result`)).json)
  assert.is(signed.message, 'one < two & "three"')
})

Requests('2.3 credentials: required to issue; each is issued', async () => {
  await refused(issuance({ credentials: [] }), /Empty issuance request/)
  const credentials = [note(), note({ attributes: { text: 'second' } })]
  const { call, outcome } = await service.answer(await service.create(issuance({ credentials })))
  assert.is(outcome.status, 'success')
  assert.is(call('POST', '/commitments').got.sigs.length, 2)
})

Requests('2.3 clientReturnUrl: where the user is sent, successfully or not', async () => {
  const clientReturnUrl = 'https://shop.example/back'
  const session = await service.create(disclosure({ clientReturnUrl }))
  assert.is((await service.answer(session)).outcome.clientReturnUrl, clientReturnUrl)
  const refused = await service.answer(await service.create(disclosure({ clientReturnUrl })), {
    consent: async () => ({ answer: 'refuse' }),
  })
  assert.is(refused.outcome.clientReturnUrl, clientReturnUrl)
})

Requests('2.3 augmentReturnUrl: the requestor token is added, where the server allows it', async () => {
  const members = { clientReturnUrl: 'https://shop.example/back?x=1', augmentReturnUrl: true }
  const session = await service.create(disclosure(members))
  const { outcome } = await service.answer(session)
  assert.is(outcome.clientReturnUrl, `https://shop.example/back?x=1&token=${session.requestorToken}`)
})

Requests('2.3 host: stands in u, is shown to the user, and is the host the app must connect to', async () => {
  const { package: answer, app } = await service.create(disclosure({ host: 'a.shop.example' }))
  assert.match(Object(answer.json).sessionPtr.u, /^http:\/\/a\.shop\.example\/svc\/session\//)
  const headers = { 'X-Svc-Minprotocolversion': '2.4', 'X-Svc-Maxprotocolversion': '2.8' }
  const wrong = await service.get(app, headers)
  assert.equal([wrong.status, Object(wrong.json).error], [403, 'UNAUTHORIZED'])
  const right = await service.get(app, { ...headers, host: 'a.shop.example' })
  assert.is(Object(right.json).request.host, 'a.shop.example')
})

Requests('2.3 another member: ignored', async () => {
  const { call } = await service.answer(await service.create(disclosure({ nothing: OVER18 })))
  assert.is(call('GET', '').got.request.nothing, undefined)
})

Requests.after(() => service.close())
Requests.run()
