import { createHmac, createPrivateKey, createPublicKey, createSecretKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { RequestorSettings } from '../../http/settings.ts'
import type { Answer } from '../http/client.ts'
import { PROJECT } from '../project.ts'
import type { SettingsOfTest } from '../server/node-of-test.ts'
import { suite } from '../suite.ts'
import { disclosure, issuance, OVER18, signature } from './requests.ts'
import { NOW_SEC, startService } from './service.ts'

const read = (name: string): Buffer =>
  readFileSync(join(PROJECT, `test/vectors/keys/requestor-rs256.${name}.pem`))
const SECRET = Buffer.from('a secret of shop and server, 32+')
const NONE = { disclosePerms: [], signPerms: [], issuePerms: [], revokePerms: [], hostPerms: [] }
const ALL = { ...NONE, disclosePerms: ['*'], signPerms: ['*'], issuePerms: ['*'] }
const REQUESTORS: readonly RequestorSettings[] = [
  {
    ...NONE,
    name: 'shop',
    auth: { method: 'token', token: 'token of the shop' },
    disclosePerms: ['svc-demo.gov.idcard.*'],
    issuePerms: ['svc-demo.fast.*'],
    hostPerms: ['127.0.0.1*', '*.shop.example'],
  },
  { ...ALL, name: 'hmac', auth: { method: 'hmac', key: createSecretKey(SECRET) } },
  { ...ALL, name: 'rsa', auth: { method: 'publickey', key: createPublicKey(read('public')) } },
]
const OPTIONS: SettingsOfTest = { noAuth: false, requestors: REQUESTORS, permissions: NONE }
const service = await startService(OPTIONS)

const asShop = (body: object): Promise<Answer> => service.post(body, { Authorization: 'token of the shop' })

function outcome({ status, json }: Answer): unknown[] {
  return [status, Object(json).error]
}

type Claims = Readonly<Record<string, unknown>>
const REFUSED = [400, 'INVALID_REQUEST']
const ACCEPTED = [200, undefined]

/** @param alg the real algorithm; `header` may contradict it */
function jwt(claims: Claims, alg: 'HS256' | 'RS256' = 'HS256', header: object = {}): string {
  const parts = [
    { alg, typ: 'JWT', ...header },
    { iat: NOW_SEC, iss: alg === 'HS256' ? 'hmac' : 'rsa', ...claims },
  ]
  const text = parts.map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const made =
    alg === 'HS256'
      ? createHmac('sha256', SECRET).update(text).digest()
      : sign('sha256', Buffer.from(text), createPrivateKey(read('private')))
  return `${text}.${made.toString('base64url')}`
}

const DISCLOSURE: Claims = { sub: 'verification_request', sprequest: { request: disclosure() } }
const signed = (text: string, contentType = 'text/plain'): Promise<Answer> =>
  service.post(text, { 'Content-Type': contentType })

const Requestors = suite('spec/interface#5.1: requestors')

Requestors('5.1 no_auth: when true nobody is asked who it is, when false everybody', async () => {
  assert.equal(outcome(await service.post(disclosure())), REFUSED)
  const open = await startService()
  assert.equal(outcome(await open.post(disclosure())), ACCEPTED)
  await open.close()
})

Requestors('5.1 token: the Authorization header is the token, unchanged', async () => {
  assert.equal(outcome(await asShop(disclosure())), ACCEPTED)
  for (const Authorization of ['Bearer token of the shop', 'token of the shop.', 'TOKEN OF THE SHOP', 'shop'])
    assert.equal(outcome(await service.post(disclosure(), { Authorization })), [403, 'UNAUTHORIZED'])
})

Requestors('5.1 issue_perms: credential types that may be issued, with wildcards', async () => {
  assert.equal(outcome(await asShop(issuance())), ACCEPTED)
  const credentials = [{ credential: 'svc-demo.uni.student', attributes: { university: 'x' } }]
  assert.equal(outcome(await asShop(issuance({ credentials }))), [403, 'UNAUTHORIZED'])
})

Requestors('5.1 permissions to verify: attributes, of a requestor or of all', async () => {
  const disclose = [[['svc-demo.gov.address.city']]]
  assert.equal(outcome(await asShop(disclosure({ disclose }))), [403, 'UNAUTHORIZED'])
  assert.equal(outcome(await asShop(signature())), [403, 'UNAUTHORIZED'])
  const permissions = { ...NONE, disclosePerms: ['svc-demo.gov.address.*'] }
  const generous = await startService({ ...OPTIONS, permissions })
  const Authorization = 'token of the shop'
  assert.equal(outcome(await generous.post(disclosure({ disclose }), { Authorization })), ACCEPTED)
  await generous.close()
})

Requestors('5.1 permissions to use hosts: without any, that of the server’s url alone', async () => {
  assert.equal(outcome(await asShop(disclosure({ host: 'a.shop.example' }))), ACCEPTED)
  assert.equal(outcome(await asShop(disclosure({ host: 'shop.example.org' }))), [403, 'UNAUTHORIZED'])
  for (const [host, expected] of [
    [new URL(service.url).host, ACCEPTED],
    ['a.shop.example', [403, 'UNAUTHORIZED']],
  ] as const) {
    const sprequest = { request: disclosure({ host }) }
    assert.equal(outcome(await signed(jwt({ ...DISCLOSURE, sprequest }))), expected)
  }
})

Requestors('5.1 text/plain: signed requests want it', async () => {
  assert.equal(outcome(await signed(jwt(DISCLOSURE))), ACCEPTED)
  assert.equal(outcome(await signed(jwt(DISCLOSURE), 'application/json')), REFUSED)
})

Requestors('5.1 RS256, HMAC-SHA256: by requestors with such a key; nothing else', async () => {
  for (const alg of ['HS256', 'RS256'] as const)
    assert.equal(outcome(await signed(jwt(DISCLOSURE, alg))), ACCEPTED)
  const forged = jwt(DISCLOSURE, 'HS256').replace(/.....$/, 'AAAAA')
  const unsigned = jwt(DISCLOSURE, 'HS256', { alg: 'none' })
  for (const text of [forged, unsigned]) assert.equal(outcome(await signed(text)), REFUSED)
})

Requestors('5.1 signed requests only: the server can be told to accept nothing else', async () => {
  const strict = await startService({ ...OPTIONS, signedRequestsOnly: true })
  const Authorization = 'token of the shop'
  assert.equal(outcome(await strict.post(disclosure(), { Authorization })), REFUSED)
  assert.equal(outcome(await strict.post(jwt(DISCLOSURE), { 'Content-Type': 'text/plain' })), ACCEPTED)
  await strict.close()
})

Requestors('5.1 iat: the time of creation; a request that is too old is rejected', async () => {
  assert.equal(outcome(await signed(jwt({ ...DISCLOSURE, iat: NOW_SEC - 300 }))), ACCEPTED)
  assert.equal(outcome(await signed(jwt({ ...DISCLOSURE, iat: NOW_SEC - 301 }))), [403, 'UNAUTHORIZED'])
  assert.equal(outcome(await signed(jwt({ ...DISCLOSURE, iat: NOW_SEC + 10 }))), ACCEPTED)
  assert.equal(outcome(await signed(jwt({ ...DISCLOSURE, iat: NOW_SEC + 11 }))), REFUSED)
})

Requestors('5.1 iss: the requestor, by which the key is found', async () => {
  for (const iss of ['nobody', 'rsa', '', undefined])
    assert.equal(outcome(await signed(jwt({ ...DISCLOSURE, iss }))), REFUSED)
})

for (const [type, sub, field, request] of [
  ['disclosure', 'verification_request', 'sprequest', disclosure()],
  ['signature', 'signature_request', 'absrequest', signature()],
  ['issuance', 'issue_request', 'iprequest', issuance()],
] as const)
  Requestors(`5.1 sub ${type}: ${sub}, with the extended request in ${field}`, async () => {
    const { json, ...answer } = await signed(jwt({ sub, [field]: { request, timeout: 10 } }))
    assert.equal(
      [answer.status, Object(json).sessionPtr.svcqr],
      [200, { disclosure: 'disclosing', signature: 'signing', issuance: 'issuing' }[type]],
    )
    for (const claims of [
      { sub, other: { request } },
      { sub: 'request', [field]: { request } },
      { sub, [field]: request },
    ])
      assert.equal(outcome(await signed(jwt(claims))), REFUSED)
  })

Requestors('2.7 signed request: an extended session request under a name that says the type', async () => {
  const sprequest = { timeout: 7, request: disclosure({ disclose: [[[OVER18]]] }) }
  const answer = await signed(jwt({ ...DISCLOSURE, sprequest }))
  const { token } = Object(answer.json)
  service.clock.advance(7_000)
  assert.is((await service.get(`/session/${token}/status`)).text, '"TIMEOUT"')
})

Requestors.after(() => service.close())
Requestors.run()
