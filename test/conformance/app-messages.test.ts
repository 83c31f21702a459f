import { hash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import type { Played } from './app.ts'
import type { Json } from './json.ts'
import { CONTEXT, disclosure, issuance, NOTE, note, OVER18, signature } from './requests.ts'
import { NOW_SEC, startService } from './service.ts'

const service = await startService()
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

async function played(request: object): Promise<Played> {
  const one = await service.answer(await service.create(request))
  assert.is(one.outcome.status, 'success')
  return one
}

const Client = suite('spec/interface#2.9: client session request')

Client('2.9 client @context', async () => {
  assert.is((await played(disclosure())).call('GET', '').got['@context'], `${CONTEXT}/ld/request/client/v1`)
})

Client('2.9 client protocolVersion: the one that the server chose', async () => {
  assert.is((await played(disclosure())).call('GET', '').got.protocolVersion, '2.8')
})

Client('2.9 client options: with pairing the method and a code of 4 digits', async () => {
  const session = await service.create(disclosure())
  const options = { '@context': `${CONTEXT}/ld/request/frontendoptions/v1`, pairingMethod: 'pin' }
  await service.call('POST', `${session.frontend}/options`, { headers: session.authorization, body: options })
  const headers = { 'X-Svc-Minprotocolversion': '2.4', 'X-Svc-Maxprotocolversion': '2.8' }
  const { json } = await service.get(session.app, headers)
  assert.equal(Object(json).options, {
    '@context': `${CONTEXT}/ld/options/v1`,
    pairingMethod: 'pin',
    pairingCode: '0815',
  })
  assert.not.ok('request' in Object(json)) // with pairing the app fetches it separately
})

Client('2.9 client session request: comes along without pairing, and without options', async () => {
  const { got } = (await played(disclosure())).call('GET', '')
  assert.equal(got.request.disclose, [[[OVER18]]])
  assert.equal(Object.keys(got), ['@context', 'protocolVersion', 'request'])
})

Client.run()

const Delivered = suite('spec/interface#2.9: the session request as delivered')

Delivered('2.9 nonce: Base64, another one in each session', async () => {
  const nonces = await Promise.all(
    [1, 2].map(async () => (await played(disclosure())).call('GET', '').got.request.nonce),
  )
  for (const nonce of nonces) assert.match(nonce, BASE64)
  assert.is.not(nonces[0], nonces[1])
})

Delivered('2.9 context: Base64 of the number 1', async () => {
  assert.is((await played(disclosure())).call('GET', '').got.request.context, 'AQ==')
})

Delivered('2.9 protocolVersion: the chosen one', async () => {
  assert.is((await played(disclosure())).call('GET', '').got.request.protocolVersion, '2.8')
})

Delivered('2.9 devMode: true without production mode', async () => {
  assert.is((await played(disclosure())).call('GET', '').got.request.devMode, true)
})

Delivered('2.9 request: what the requestor asked for, of every type', async () => {
  for (const request of [
    disclosure(),
    signature(),
    issuance({ credentials: [note({ validity: 5_000 * 604_800 })] }),
  ]) {
    const { nonce, context, protocolVersion, devMode, ...rest } = (await played(request)).call('GET', '').got
      .request
    assert.equal(rest, request)
  }
})

Delivered.run()

const Disclosure = suite('spec/interface#2.9: disclosure message')
const sent = async (request: object): Promise<Json> => (await played(request)).call('POST', '/proofs').sent

Disclosure('2.9 proofs: one for each credential that is disclosed from', async () => {
  const disclose = [[[OVER18]], [['svc-demo.gov.idcard.initials']], [[NOTE]]]
  assert.is((await sent(disclosure({ disclose }))).proofs.length, 2)
})

Disclosure('2.9 proofs[] c, A, e_response, v_response: Base64 numbers', async () => {
  const [proof] = (await sent(disclosure())).proofs
  for (const name of ['c', 'A', 'e_response', 'v_response']) assert.match(proof[name], BASE64)
})

Disclosure('2.9 proofs[] a_responses: a response for each hidden attribute, by index', async () => {
  const [proof] = (await sent(disclosure())).proofs
  assert.equal(Object.keys(proof.a_responses), ['0', '2', '3', '5', '6'])
})

Disclosure('2.9 proofs[] a_disclosed: the disclosed attributes by index', async () => {
  const [proof] = (await sent(disclosure())).proofs
  assert.equal(Object.keys(proof.a_disclosed), ['1', '4'])
})

Disclosure('2.9 indices: where the j-th attribute of the i-th outer item stands', async () => {
  const disclose = [[[NOTE]], [[OVER18, 'svc-demo.gov.idcard.initials']]]
  assert.equal((await sent(disclosure({ disclose }))).indices, [
    [{ cred: 0, attr: 2 }],
    [
      { cred: 1, attr: 4 },
      { cred: 1, attr: 2 },
    ],
  ])
})

Disclosure('2.9 decoding: one bit to the right, then UTF-8', async () => {
  const [proof] = (await sent(disclosure())).proofs
  const number = BigInt(`0x${Buffer.from(proof.a_disclosed['4'], 'base64').toString('hex')}`)
  assert.is(Buffer.from((number >> 1n).toString(16), 'hex').toString(), 'yes')
})

Disclosure('2.9 index 1: the metadata attribute, always disclosed, encoded in its own way', async () => {
  const [proof] = (await sent(disclosure())).proofs
  const metadata = Buffer.from(proof.a_disclosed['1'], 'base64')
  assert.is(metadata.toString('hex').slice(-32), hash('sha256', 'svc-demo.gov.idcard', 'hex').slice(0, 32))
  const session = await service.create(disclosure())
  await service.answer(session, {
    tamper: body => ({ ...body, proofs: [{ ...proof, a_disclosed: { '4': proof.a_disclosed['4'] } }] }),
  })
  assert.is(Object((await service.get(`${session.requestor}/result`)).json).proofStatus, 'INVALID')
})

Disclosure.run()

const Signed = suite('spec/interface#2.9: signed message')

Signed('2.9 signed @context', async () => {
  assert.is((await sent(signature()))['@context'], `${CONTEXT}/ld/signature/v2`)
})

Signed('2.9 signed signature, indices: as proofs and indices of a disclosure', async () => {
  const body = await sent(signature())
  assert.equal(Object.keys(body.signature[0]).sort(), [
    'A',
    'a_disclosed',
    'a_responses',
    'c',
    'e_response',
    'v_response',
  ])
  assert.equal(body.indices, [[{ cred: 0, attr: 2 }]])
})

Signed('2.9 signed nonce, context: the same values as in the session request', async () => {
  const { call } = await played(signature())
  const { nonce, context } = call('GET', '').got.request
  const body = call('POST', '/proofs').sent
  assert.equal([body.nonce, body.context], [nonce, context])
})

Signed('2.9 signed message: the text', async () => {
  assert.is((await sent(signature({ message: 'text' }))).message, 'text')
})

Signed('2.9 signed timestamp: Time, ServerUrl and Sig with Alg, Data and PublicKey', async () => {
  const { Time, ServerUrl, Sig } = (await sent(signature())).timestamp
  assert.is(Time, NOW_SEC)
  assert.type(ServerUrl, 'string')
  assert.is(Sig.Alg, 'ed25519')
  for (const name of ['Data', 'PublicKey']) assert.match(Sig[name], BASE64)
})

Signed.run()

const Issuance = suite('spec/interface#2.9: issuance')

Issuance('2.9 combinedProofs: a commitment for each credential, after the disclosure proofs', async () => {
  const credentials = [note(), note()]
  const { combinedProofs } = (await played(issuance({ credentials, disclose: [[[OVER18]]] }))).call(
    'POST',
    '/commitments',
  ).sent
  const [first, ...commitments] = combinedProofs
  assert.ok(first.A && !first.U)
  for (const each of commitments)
    for (const name of ['U', 'c', 'v_prime_response', 's_response']) assert.match(each[name], BASE64)
  assert.is(commitments.length, 2)
})

Issuance('2.9 n_2: the nonce of the issuer’s proof, a new one each time', async () => {
  const nonces = await Promise.all(
    [1, 2].map(async () => (await played(issuance())).call('POST', '/commitments').sent.n_2),
  )
  for (const nonce of nonces) assert.match(nonce, BASE64)
  assert.is.not(nonces[0], nonces[1])
})

Issuance.run()

const Answer = suite('spec/interface#2.9: server session response')

Answer('2.9 response proofStatus: to each of the submissions', async () => {
  assert.equal((await played(disclosure())).call('POST', '/proofs').got, { proofStatus: 'VALID' })
  assert.equal((await played(signature())).call('POST', '/proofs').got, { proofStatus: 'VALID' })
  assert.is((await played(issuance())).call('POST', '/commitments').got.proofStatus, 'VALID')
})

Answer('2.9 response nextSession: the pointer of the session that the app goes on with', async () => {
  service.nextAnswers.push({ status: 200, text: JSON.stringify(signature()) })
  const session = await service.create({
    request: disclosure(),
    nextSession: { url: 'https://shop.example/next' },
  })
  const { calls, outcome } = await service.answer(session)
  const first = calls.find(each => each.path.endsWith('/proofs'))
  const { u, svcqr } = JSON.parse(first?.text ?? '').nextSession
  assert.is(svcqr, 'signing')
  assert.ok(calls.some(each => u.endsWith(each.path.replace(/\/$/, ''))))
  assert.equal([outcome.status, outcome.chainLink], ['success', 2])
})

Answer('2.9 response sigs: signature and proof for each credential, only of valid proofs', async () => {
  const credentials = [note(), note()]
  const { sigs } = (await played(issuance({ credentials }))).call('POST', '/commitments').got
  assert.is(sigs.length, 2)
  for (const { signature: made, proof } of sigs) {
    for (const name of ['A', 'e', 'v']) assert.match(made[name], BASE64)
    assert.is(made.KeyshareP, null)
    for (const name of ['c', 'e_response']) assert.match(proof[name], BASE64)
  }
  const session = await service.create(issuance())
  const { call } = await service.answer(session, {
    tamper: body => ({
      ...body,
      combinedProofs: body.combinedProofs.map((each: Json) => ({ ...each, s_response: 'AQ==' })),
    }),
  })
  assert.equal(call('POST', '/commitments').got, { proofStatus: 'INVALID' })
})

Answer.after(() => service.close())
Answer.run()
