import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { disclosure, issuance, NOTE, note, OVER18 } from './requests.ts'
import { startService } from './service.ts'

const service = await startService()
const Shapes = suite('spec/interface#2.1: identifier shapes')
const VERSIONS = { 'X-Svc-Minprotocolversion': '2.4', 'X-Svc-Maxprotocolversion': '2.8' }
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

async function messageOf(body: object): Promise<string> {
  const { status, json } = await service.post(body)
  assert.is(status, 400)
  assert.is(Object(json).error, 'INVALID_REQUEST')
  return String(Object(json).message)
}

Shapes('2.1 attribute type id: scheme, issuer, credential and attribute, with dots between', async () => {
  await service.create(disclosure({ disclose: [[[OVER18]]] }))
  for (const id of ['over18', 'gov.over18', `${OVER18}.more`, 'svc-demo..idcard.over18', `${OVER18} `, ''])
    assert.match(
      await messageOf(disclosure({ disclose: [[[id]]] })),
      /expected (an identifier of 4 or 3 parts|<scheme>)/,
    )
  for (const id of ['nope.gov.idcard.over18', 'svc-demo.nope.idcard.over18', 'svc-demo.gov.idcard.nope'])
    assert.match(await messageOf(disclosure({ disclose: [[[id]]] })), /^Unknown identifiers: /)
})

Shapes(
  '2.1 credential type id: scheme, issuer and credential; asked for, it is the credential itself',
  async () => {
    await service.create(issuance())
    for (const credential of ['note', 'fast.note', NOTE, 'svc-demo.fast.', ''])
      await messageOf(issuance({ credentials: [note({ credential })] }))
    const session = await service.create(disclosure({ disclose: [[['svc-demo.fast.note']]] }))
    await service.answer(session)
    const { disclosed } = Object((await service.get(`${session.requestor}/result`)).json)
    assert.equal([disclosed[0][0].id, disclosed[0][0].rawvalue], ['svc-demo.fast.note', 'present'])
  },
)

Shapes('2.1 issuer public key id: scheme and issuer, a dash and the number of the key', async () => {
  const credentials = [{ credential: 'svc-demo.old.relic', attributes: { value: 'a' } }]
  assert.match(await messageOf(issuance({ credentials })), /svc-demo\.old-0/)
})

Shapes('2.1 public keys: an issuer may have several, numbered from 0', async () => {
  const student = { university: 'a', studentnumber: 'b', level: 'c' }
  const session = await service.create(
    issuance({ credentials: [note(), { credential: 'svc-demo.uni.student', attributes: student }] }),
  )
  const { outcome, call } = await service.answer(session)
  assert.is(outcome.status, 'success')
  const { credentials } = call('GET', '/').got.request
  assert.equal([credentials[0].keyCounter ?? 0, credentials[1].keyCounter], [0, 1])
})

Shapes('2.1 requestor token: what POST /session returns as token', async () => {
  const { package: answer } = await service.create(disclosure())
  const { token } = Object(answer.json)
  assert.is((await service.get(`/session/${token}/status`)).text, '"INITIALIZED"')
  for (const other of [token.toUpperCase(), `${token}a`, token.slice(1)])
    assert.is(Object((await service.get(`/session/${other}/status`)).json).error, 'SESSION_UNKNOWN')
})

Shapes('2.1 client token: the last segment of u', async () => {
  const { package: answer } = await service.create(disclosure())
  const { u } = Object(answer.json).sessionPtr
  const clientToken = u.slice(u.lastIndexOf('/') + 1)
  assert.is((await service.get(`/svc/session/${clientToken}/status`)).text, '"INITIALIZED"')
  assert.is((await service.get(new URL(u).pathname, VERSIONS)).status, 200)
})

Shapes('2.1 big integers: Base64 strings, in what is sent and in what is read', async () => {
  const session = await service.create(issuance({ disclose: [[[NOTE]]] }))
  const { call } = await service.answer(session)
  const { nonce, context } = call('GET', '/').got.request
  const { sent, got } = call('POST', '/commitments')
  const { A, c, e_response, v_response } = sent.combinedProofs[0]
  const { signature, proof } = got.sigs[0]
  const numbers = [nonce, context, sent.n_2, A, c, e_response, v_response, signature.A, signature.v, proof.c]
  for (const text of numbers) {
    assert.type(text, 'string')
    assert.match(text, BASE64)
  }
  const wrong = await service.create(disclosure())
  const { outcome } = await service.answer(wrong, {
    tamper: body => ({ ...body, proofs: [{ ...body.proofs[0], A: 'no Base64!' }] }),
  })
  assert.is(outcome.status, 'failed')
})

Shapes.after(() => service.close())

Shapes.run()
