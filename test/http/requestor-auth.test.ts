/** The requestors that may start a session (spec/interface#5.1; spec/session-server#6.2 to #6.4; spec/decisions#d5): tokens, signed requests, no authentication, signed requests only.
 *  The claims of JWTs one by one are tested with `sessions/request-jwt.ts`, the recorded ones in the replays. @module */
import { createSecretKey } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { RequestorSettings } from '../../http/settings.ts'
import { type SettingsOfTest, settingsOfTest } from '../server/node-of-test.ts'
import { suite } from '../suite.ts'
import type { Answer } from './client.ts'
import { disclosure, OVER18, sessionIn, withServer } from './harness.ts'
import {
  claimsOf,
  HS256,
  OTHER_SECRET,
  RS256,
  RSA_PRIVATE,
  RSA_PUBLIC,
  SECRET,
  type Signature,
  signed,
} from './signed-requests.ts'

const NOW_SEC = Date.UTC(2026, 5, 1) / 1000 // as the clock of the harness begins
const PERMS = { disclosePerms: ['*'], signPerms: ['*'], issuePerms: ['*'], revokePerms: [], hostPerms: [] }
const TOKEN = 'token-of-the-shop'
const REQUESTORS: readonly RequestorSettings[] = [
  { name: 'tokenshop', auth: { method: 'token', token: TOKEN }, ...PERMS },
  { name: 'hmacshop', auth: { method: 'hmac', key: SECRET }, ...PERMS },
  { name: 'rsashop', auth: { method: 'publickey', key: RSA_PUBLIC }, ...PERMS },
]
const KNOWN: SettingsOfTest = { noAuth: false, requestors: REQUESTORS }
const SIGNED_ONLY: SettingsOfTest = {
  noAuth: false,
  signedRequestsOnly: true,
  requestors: REQUESTORS.filter(({ auth }) => auth.method !== 'token'),
}
const TEXT = { 'Content-Type': 'text/plain' }
const JSON_TYPE = { 'Content-Type': 'application/json' }
const REQUESTS = {
  disclosing: disclosure(),
  signing: {
    '@context': 'https://svc.example/ld/request/signature/v2',
    message: 'I agree',
    disclose: [[[OVER18]]],
  },
  issuing: {
    '@context': 'https://svc.example/ld/request/issuance/v2',
    credentials: [{ credential: 'svc-demo.fast.note', attributes: { text: 'x' } }],
  },
}

const Auth = suite('requestor authentication (spec/interface#5.1)')

/** POST /session at a new server. */
async function post(
  settings: SettingsOfTest,
  headers: Record<string, string>,
  body: unknown,
): Promise<Answer & { readonly requestor: string | null }> {
  let result: (Answer & { readonly requestor: string | null }) | undefined
  await withServer({ settings }, async server => {
    const answer = await server.call('POST', '/session', { headers, body })
    const row = answer.status === 200 ? await server.rowOf(sessionIn(answer)) : null
    result = { ...answer, requestor: row?.requestor ?? null }
  })
  if (result === undefined) throw new Error('no answer')
  return result
}

function refusal({ status, json }: Answer): string {
  const { error, message = '' } = json as { error: string; message?: string }
  return `${status} ${error}: ${message}`
}

const ofHmac = (request: object = disclosure(), signature: Signature = HS256) =>
  signed(claimsOf('hmacshop', { request }, NOW_SEC), signature)
const ofRsa = (request: object = disclosure(), signature: Signature = RS256) =>
  signed(claimsOf('rsashop', { request }, NOW_SEC), signature)

for (const [type, request] of Object.entries(REQUESTS)) {
  Auth(`rule 2: a requestor with its token starts a session of type ${type}`, async () => {
    const answer = await post(KNOWN, { ...JSON_TYPE, Authorization: TOKEN }, request)
    assert.equal([answer.status, answer.requestor], [200, 'tokenshop'], answer.text)
    assert.match(answer.text, `"svcqr":"${type}"`)
  })
  Auth(`rule 3: a request of type ${type}, signed with HS256 or RS256, needs nothing else`, async () => {
    for (const [name, jwt] of [
      ['hmacshop', await ofHmac(request)],
      ['rsashop', await ofRsa(request)],
    ] as const)
      for (const settings of [KNOWN, SIGNED_ONLY])
        for (const contentType of ['text/plain', 'text/plain; charset=utf-8']) {
          const answer = await post(settings, { 'Content-Type': contentType }, `${jwt}\n`)
          assert.equal([answer.status, answer.requestor], [200, name], answer.text)
          assert.match(answer.text, `"svcqr":"${type}"`)
        }
  })
}

Auth('rule 1: with no_auth any Authorization header is ignored', async () => {
  for (const Authorization of ['x', TOKEN, 'Bearer x'])
    for (const type of [JSON_TYPE, TEXT]) {
      const answer = await post({ noAuth: true }, { ...type, Authorization }, disclosure())
      assert.equal([answer.status, answer.requestor], [200, ''])
    }
})

Auth('rule 1: with no_auth a JWT is refused: expected JSON', async () => {
  for (const headers of [TEXT, { ...TEXT, Authorization: TOKEN }])
    assert.is(
      refusal(await post({ noAuth: true }, headers, await ofHmac())),
      '400 INVALID_REQUEST: expected a request in JSON (no_auth), got a signed one',
    )
})

Auth('rule 3: a JWT needs Content-Type text/plain, and no Authorization header beside it', async () => {
  const jwt = await ofHmac()
  assert.match(
    refusal(await post(KNOWN, JSON_TYPE, jwt)),
    /^400 INVALID_REQUEST: request could not be authenticated/,
  )
  assert.match(
    refusal(await post(KNOWN, { 'Content-Type': 'application/jwt' }, jwt)),
    /Unsupported Content-Type/,
  )
  for (const Authorization of [TOKEN, 'x'])
    assert.is(
      refusal(await post(KNOWN, { ...TEXT, Authorization }, jwt)),
      '400 INVALID_REQUEST: request could not be authenticated: ' +
        'expected either a signed request or an Authorization header, got both',
    )
})

Auth('a body of type JSON is read as JSON, even if it has the form of a JWT', async () => {
  const jwt = await ofHmac()
  for (const [settings, headers] of [
    [KNOWN, { ...JSON_TYPE, Authorization: TOKEN }],
    [{ noAuth: true }, JSON_TYPE],
  ] as const)
    assert.not.match(refusal(await post(settings, headers, jwt)), /^200|signed/)
})

Auth('rule 3: the mode that accepts only signed requests refuses tokens and JSON', async () => {
  for (const type of [JSON_TYPE, TEXT])
    for (const headers of [type, { ...type, Authorization: TOKEN }])
      assert.is(
        refusal(await post({ ...KNOWN, signedRequestsOnly: true }, headers, disclosure())),
        '400 INVALID_REQUEST: request could not be authenticated: ' +
          'expected a signed request (text/plain), got something else',
      )
})

Auth('a requestor is authenticated only by its own method, and by no key of another kind', async () => {
  const pem = RSA_PUBLIC.export({ type: 'spki', format: 'pem' })
  const asToken = [SECRET.export().toString(), SECRET.export().toString('base64'), 'hmacshop', 'rsashop']
  for (const Authorization of asToken)
    assert.match(
      refusal(await post(KNOWN, { ...JSON_TYPE, Authorization }, disclosure())),
      /^403 UNAUTHORIZED: expected the token of a requestor in Authorization, got another$/,
    )
  const forged: readonly (readonly [string, Signature])[] = [
    ['tokenshop', { alg: 'HS256', key: createSecretKey(Buffer.from(TOKEN)) }],
    ['tokenshop', RS256],
    ['hmacshop', RS256],
    ['rsashop', HS256],
    ['rsashop', { alg: 'HS256', key: createSecretKey(Buffer.from(pem)) }],
    ['rsashop', { alg: 'HS256', key: createSecretKey(RSA_PUBLIC.export({ type: 'spki', format: 'der' })) }],
    ['hmacshop', { alg: 'HS256', key: OTHER_SECRET }],
    ['hmacshop', { alg: 'HS384', key: SECRET }],
    ['rsashop', { alg: 'PS256', key: RSA_PRIVATE }],
    ['rsashop', { alg: 'RS512', key: RSA_PRIVATE }],
    ['nobody', HS256],
    ['', HS256],
  ]
  for (const [name, signature] of forged) {
    const jwt = await signed(claimsOf(name, { request: disclosure() }, NOW_SEC), signature)
    assert.match(refusal(await post(KNOWN, TEXT, jwt)), /^400 INVALID_REQUEST: ./, `${name} ${signature.alg}`)
  }
})

Auth('unsigned and damaged JWTs are refused', async () => {
  const [header = '', claims = '', signature = ''] = (await ofHmac()).split('.')
  const base64 = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
  const none = base64({ alg: 'none', typ: 'JWT' })
  const other = base64(claimsOf('rsashop', { request: disclosure() }, NOW_SEC))
  for (const jwt of [
    `${none}.${claims}.`,
    `${none}.${claims}.${signature}`,
    `${header}.${claims}.`,
    `${header}.${other}.${signature}`,
    `${header}.${claims}.${signature.slice(0, -2)}`,
    `${header}.${claims}`,
    `${header}..${signature}`,
  ])
    assert.match(refusal(await post(KNOWN, TEXT, jwt)), /^400 INVALID_REQUEST: ./, jwt.slice(0, 30))
})

Auth(
  'rule 3, iat: a request that is older than max_request_age is refused, 403; it can be repeated until then',
  () =>
    withServer({ settings: { ...KNOWN, maxRequestAgeSec: 60 } }, async server => {
      const jwt = await ofHmac()
      const ask = () => server.call('POST', '/session', { headers: TEXT, body: jwt })
      assert.is((await ask()).status, 200)
      server.clock.advance(60_000)
      assert.is((await ask()).status, 200)
      server.clock.advance(1_000)
      assert.match(refusal(await ask()), /^403 UNAUTHORIZED: jwt too old/)
      assert.is(settingsOfTest({}).maxRequestAgeSec, 300)
    }),
)

Auth('rule 3, iat: the age of a request is measured by the system clock, which may be set meanwhile', () =>
  withServer({ settings: { ...KNOWN, maxRequestAgeSec: 60 } }, async server => {
    const jwt = await ofHmac()
    const ask = () => server.call('POST', '/session', { headers: TEXT, body: jwt })
    server.clock.setWall(61_000)
    assert.match(refusal(await ask()), /^403 UNAUTHORIZED: jwt too old/)
    server.clock.setWall(-30_000)
    assert.is((await ask()).status, 200)
  }),
)

Auth('rule 3, iss and kid: kid takes precedence over iss as the name of the requestor', async () => {
  const claims = claimsOf('someone', { request: disclosure() }, NOW_SEC)
  const answer = await post(KNOWN, TEXT, await signed(claims, { ...HS256, kid: 'hmacshop' }))
  assert.equal([answer.status, answer.requestor], [200, 'hmacshop'])
  assert.match(
    refusal(await post(KNOWN, TEXT, await signed(claims, { ...HS256, kid: 5 }))),
    /^400 INVALID_REQUEST: requestor name was not a string/,
  )
})

Auth('no refusal repeats a token, a JWT or a request', async () => {
  const jwt = await ofHmac(REQUESTS.issuing, { alg: 'HS256', key: OTHER_SECRET })
  const answers = [
    await post(KNOWN, TEXT, jwt),
    await post(KNOWN, { ...TEXT, Authorization: TOKEN }, jwt),
    await post(KNOWN, { ...JSON_TYPE, Authorization: `${TOKEN}x` }, REQUESTS.issuing),
    await post(
      { ...KNOWN, signedRequestsOnly: true },
      { ...JSON_TYPE, Authorization: TOKEN },
      REQUESTS.issuing,
    ),
  ]
  for (const { status, text } of answers) {
    assert.ok(status >= 400)
    for (const secret of [TOKEN, ...jwt.split('.'), 'fast.note']) assert.not.match(text, secret)
  }
})

Auth.run()
