import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jwtVerify } from 'jose'
import * as assert from 'uvu/assert'
import { requestBody } from '../../cli/request/body.ts'
import { buildRequest } from '../../cli/request/build.ts'
import type { RequestFlags } from '../../cli/request/flags.ts'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { runSvc } from './run-svc.ts'

const schemes = await loadSchemes('demo/schemes')
const BASE = 'https://svc.example'
const AGE = 'svc-demo.gov.idcard.over18'
const STUDENT = 'svc-demo.uni.student'
const none = { disclose: [], sign: [], issue: [] }
const flags: RequestFlags = {
  ...none,
  profile: 'svc',
  authMethod: 'none',
  schemesPath: 'demo/schemes',
}

function built(given: Partial<RequestFlags>) {
  return buildRequest({ ...none, ...given }, BASE, schemes)
}

function refused(given: Partial<RequestFlags>, message: string): void {
  assert.throws(
    () => built(given),
    (error: unknown) => error instanceof Error && assert.is(error.message, message) === undefined,
  )
}

const Build = suite('svc request: the request of its flags (spec/schemes-and-cli#16.3)')

Build('each --disclose is a disjunction of inner conjunctions with one attribute', () => {
  assert.equal(built({ disclose: [`${AGE},svc-demo.gov.address`, AGE] }), {
    type: 'disclosing',
    extended: {
      request: {
        '@context': `${BASE}/ld/request/disclosure/v2`,
        disclose: [[[AGE], ['svc-demo.gov.address']], [[AGE]]],
      },
    },
  })
})

Build('--sign with --message is a signature request (spec/interface#2.3)', () => {
  assert.equal(built({ sign: [AGE], message: 'I agree' }), {
    type: 'signing',
    extended: {
      request: { '@context': `${BASE}/ld/request/signature/v2`, message: 'I agree', disclose: [[[AGE]]] },
    },
  })
})

Build(
  '--issue has its values in scheme order; with --disclose it is a combined request (spec/interface#2.5)',
  () => {
    const attributes = schemes.credentialType(parseCredentialTypeId(STUDENT))?.attributes ?? []
    const names = attributes.map(({ id }) => id.split('.').at(-1))
    const values = names.map((_, i) => `value ${i}`)
    const request = built({ issue: [`${STUDENT}=${values}`], disclose: [AGE] })
    assert.equal(request, {
      type: 'issuing',
      extended: {
        request: {
          '@context': `${BASE}/ld/request/issuance/v2`,
          credentials: [
            {
              credential: STUDENT,
              attributes: Object.fromEntries(names.map((name, i) => [name, values[i]])),
            },
          ],
          disclose: [[[AGE]]],
        },
      },
    })
  },
)

Build('revocation and random-blind attributes have no value in --issue', () => {
  const note = built({ issue: ['svc-demo.fast.note=hello,'] })
  assert.match(JSON.stringify(note), /"attributes":\{"text":"hello","extra":""\}/)
  for (const scheme of schemes.schemes.values())
    for (const issuer of scheme.issuers.values())
      for (const { id, attributes } of issuer.credentialTypes.values()) {
        const chosen = attributes.filter(one => !one.isRandomBlind && !one.isRevocation)
        const isRevocable = attributes.some(one => one.isRevocation)
        const key = isRevocable ? { revocationKey: 'k' } : {}
        const { extended } = built({ issue: [`${id}=${chosen.map(() => 'x')}`], ...key })
        assert.is(JSON.stringify(extended).split('"x"').length - 1, chosen.length, id)
      }
})

Build('--revocation-key is required for types that can be revoked, and refused for others', () => {
  const issue = ['svc-demo.fast.badge=3,me', 'svc-demo.fast.note=hello,']
  const { request } = Object(built({ issue, revocationKey: 'k' }).extended)
  assert.equal(
    request.credentials.map((one: { revocationKey?: string }) => one.revocationKey),
    ['k', undefined],
  )
  refused({ issue }, '--revocation-key: expected one, because svc-demo.fast.badge can be revoked, got none')
  refused(
    { issue: issue.slice(1), revocationKey: 'k' },
    '--revocation-key: expected a credential type that can be revoked, got none',
  )
})

Build('ids that do not exist and a wrong number of values are refused', () => {
  refused(
    { disclose: ['svc-demo.gov.idcard.nope'] },
    '--disclose: expected an attribute of the schemes, got "svc-demo.gov.idcard.nope"',
  )
  refused(
    { sign: ['svc-demo.gov.nope'], message: 'm' },
    '--sign: expected an attribute of the schemes, got "svc-demo.gov.nope"',
  )
  refused(
    { issue: ['svc-demo.fast.nope=x'] },
    '--issue: expected a credential type of the schemes, got "svc-demo.fast.nope"',
  )
  refused(
    { issue: ['svc-demo.fast.note=x'] },
    '--issue svc-demo.fast.note: expected 2 values (text, extra), got 1',
  )
  const form = '--issue: expected a credential type, "=" and its values with commas between'
  refused({ issue: ['svc-demo.fast.note'] }, `${form}, got no "="`)
  refused({ issue: ['svc-demo.fast.note=x=y'] }, `${form}, got more than one "="`)
})

Build('a text that is no identifier is refused, and the message names the flag', () => {
  const attribute = 'attribute type id: expected <scheme>.<issuer>.<credential>.<attribute>, got "bad.id"'
  refused({ disclose: ['bad.id'] }, `--disclose: ${attribute}`)
  refused({ sign: ['bad.id'], message: 'm' }, `--sign: ${attribute}`)
  refused(
    { disclose: ['a..b'] },
    '--disclose: credential type id: expected <scheme>.<issuer>.<credential>, got "a..b"',
  )
  refused(
    { issue: ['bad.id=x'] },
    '--issue: credential type id: expected <scheme>.<issuer>.<credential>, got "bad.id"',
  )
})
Build.run()

const Signed = suite('svc request: the body that a requestor sends (spec/interface#2.7, #4.1, #5.1)')
const folder = mkdtempSync(join(tmpdir(), 'svc-request-'))
Signed.after(() => rmSync(folder, { recursive: true }))
const secret = Buffer.from('a secret that is long enough for this')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
const hmac = { ...flags, authMethod: 'hmac', key: secret.toString('base64'), name: 'shop' } as const

const TYPES = [
  [{ disclose: [AGE] }, 'verification_request', 'sprequest'],
  [{ sign: [AGE], message: 'm' }, 'signature_request', 'absrequest'],
  [{ issue: ['svc-demo.fast.note=hello,more'] }, 'issue_request', 'iprequest'],
] as const

for (const [given, sub, field] of TYPES)
  Signed(`a JWT has the sub ${sub} and the extended request in ${field}`, async () => {
    const file = join(folder, 'key.pem')
    writeFileSync(file, `${pem}\n`)
    const ways = [
      [{ ...hmac, ...given }, secret, 'HS256'],
      [{ ...hmac, ...given, authMethod: 'rsa', key: pem }, rsa.publicKey, 'RS256'],
      [{ ...hmac, ...given, authMethod: 'rsa', key: file }, rsa.publicKey, 'RS256'],
    ] as const
    for (const [asked, key, alg] of ways) {
      const { headers, body } = await requestBody(asked)
      assert.equal(headers, { 'content-type': 'text/plain' })
      const { payload, protectedHeader } = await jwtVerify(body, key)
      assert.equal(protectedHeader, { alg, typ: 'JWT' })
      assert.equal(Object.keys(payload), ['iat', 'iss', 'sub', field])
      assert.equal([payload.iss, payload.sub], ['shop', sub])
      assert.equal(payload[field], buildRequest({ ...none, ...given }, BASE, schemes).extended)
    }
  })

Signed('--request is signed in the form of an extended request', async () => {
  const { extended } = built({ disclose: [AGE] })
  for (const [text, expected] of [
    [extended.request, extended],
    [
      { ...extended, timeout: 60 },
      { ...extended, timeout: 60 },
    ],
  ]) {
    const { body } = await requestBody({ ...hmac, request: JSON.stringify(text) })
    assert.equal((await jwtVerify(body, secret)).payload.sprequest, expected)
  }
})

Signed('a token that is no valid header is refused before any call, and not quoted', async () => {
  const sent = requestBody({ ...flags, authMethod: 'token', key: 'secret\ntoken', request: '{}' })
  assert.match(
    await rejection(sent),
    /^SettingsError: --key \(itself, or an existing file with it\): expected a token of one line that a header can hold/,
  )
})

Signed('a token and --request are sent unchanged', async () => {
  const token = { ...flags, authMethod: 'token', key: 'my token' } as const
  const headers = { 'content-type': 'application/json', authorization: 'my token' }
  assert.equal(await requestBody({ ...token, request: '{"any":1}' }), { headers, body: '{"any":1}' })
  const { body } = await requestBody({ ...token, disclose: [AGE] })
  assert.equal(JSON.parse(body), built({ disclose: [AGE] }).extended)
})

Signed('a key that cannot sign is refused and not quoted', async () => {
  for (const [method, message] of [
    ['hmac', '--key (itself, or an existing file with it): expected a secret in Base64, got something else'],
    [
      'rsa',
      '--key (itself, or an existing file with it): expected an unencrypted RSA private key in PEM, got something else',
    ],
  ] as const) {
    const asked = { ...hmac, authMethod: method, key: 'my secret!', disclose: [AGE] }
    const told = await requestBody(asked).then(
      () => 'no error',
      (error: Error) => error.message,
    )
    assert.is(told, message)
  }
})

Signed('svc request prints JSON with two spaces, or the JWT', async () => {
  const words = ['request', '--schemes-path', 'demo/schemes', '--disclose', AGE]
  const plain = await runSvc(words)
  assert.is(plain.stdout, `${JSON.stringify(built({ disclose: [AGE] }).extended, null, 2)}\n`)
  const signed = await runSvc([...words, '-a', 'hmac', '--key', hmac.key, '--name', 'shop'])
  assert.is((await jwtVerify(signed.stdout.trimEnd(), secret)).payload.iss, 'shop')
  const unknown = await runSvc(['request', '--schemes-path', 'demo/schemes', '--disclose', 'a.b.c.d'])
  assert.equal([unknown.code, unknown.stdout], [1, ''])
})
Signed.run()
