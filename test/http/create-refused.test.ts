/** POST /session: every refused request, with its status and error type (spec/interface#5.1, #7; spec/session-server#6; spec/decisions#d5). @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { AUTHENTICATED, disclosure, OF_SHOP, OVER18, type Parts, withServer } from './harness.ts'

const Refused = suite('POST /session, refused')
const INVALID = { status: 400, error: 'INVALID_REQUEST' }
const UNAUTHORIZED = { status: 403, error: 'UNAUTHORIZED' }
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJpYXQiOjF9.c2lnbmF0dXJl'
const JSON_TYPE = { 'Content-Type': 'application/json' }
const TEXT_TYPE = { 'Content-Type': 'text/plain' }

const OTHER_TYPE = { status: 415, error: 'INVALID_REQUEST', description: 'Unsupported media type' }
const TOO_LONG = { status: 413, error: 'INVALID_REQUEST', description: 'Request body too large' }

type Refusal = readonly [
  title: string,
  headers: Record<string, string>,
  body: unknown,
  expected: object,
  message?: RegExp,
]

async function assertRefused(
  parts: Parts,
  [title, headers, body, expected, message]: Refusal,
): Promise<void> {
  await withServer(parts, async server => {
    const answer = await server.call('POST', '/session', { headers, body })
    const { message: got = '', ...rest } = answer.json as Record<string, unknown>
    for (const [name, value] of Object.entries(expected)) assert.is(rest[name], value, title)
    assert.is(answer.status, rest.status)
    assert.match(String(got), message ?? /./)
    assert.is(await server.store.sessions.count(), 0, 'no session')
    assert.not.match(answer.text, /token-of|"[^"]*stack/)
  })
}

function returningTo(clientReturnUrl: string): object {
  return { ...disclosure(), clientReturnUrl }
}

const NO_AUTH: readonly Refusal[] = [
  ['no Content-Type', {}, disclosure(), OTHER_TYPE, /Unsupported Content-Type: .*got ""/],
  [
    'another Content-Type',
    { 'Content-Type': 'application/xml' },
    disclosure(),
    OTHER_TYPE,
    /got "application\/xml"/,
  ],
  [
    'Content-Type in capitals',
    { 'Content-Type': 'Application/JSON' },
    disclosure(),
    OTHER_TYPE,
    /Unsupported/,
  ],
  [
    'a Content-Type that contains an accepted one',
    { 'Content-Type': 'x-text/plain' },
    disclosure(),
    OTHER_TYPE,
    /Unsupported/,
  ],
  ['a form', { 'Content-Type': 'multipart/form-data; boundary=x' }, '--x--', OTHER_TYPE, /Unsupported/],
  ['a JWT', TEXT_TYPE, JWT, INVALID, /expected a request in JSON/],
  ['a JWT as JSON', JSON_TYPE, JWT, INVALID],
  ['no body', JSON_TYPE, undefined, INVALID],
  ['malformed JSON', JSON_TYPE, '{', INVALID],
  [
    'a request longer than apps read',
    JSON_TYPE,
    { ...disclosure(), clientReturnUrl: `https://${'x'.repeat(2 ** 20)}` },
    TOO_LONG,
    /expected at most 1048576 characters, got 1048\d{3}$/,
  ],
  ['two documents', JSON_TYPE, '{}{}', INVALID],
  ['null', JSON_TYPE, 'null', INVALID],
  ['a list', JSON_TYPE, '[]', INVALID],
  ['a string that holds a request', JSON_TYPE, JSON.stringify(JSON.stringify(disclosure())), INVALID],
  ['an empty object', JSON_TYPE, {}, INVALID],
  ['bytes that are not UTF-8', JSON_TYPE, new Uint8Array([0x22, 0xff, 0x22]), INVALID, /UTF-8/],
  ['a byte order mark', JSON_TYPE, `\ufeff${JSON.stringify(disclosure())}`, INVALID],
  ['UTF-16', { 'Content-Type': 'application/json; charset=utf-16' }, Buffer.from('{}', 'utf16le'), INVALID],
  ['a prototype name', JSON_TYPE, `{"__proto__":{},"request":${JSON.stringify(disclosure())}}`, INVALID],
  [
    'a prototype name deep inside',
    JSON_TYPE,
    { ...disclosure(), labels: { 0: { constructor: 'x' } } },
    INVALID,
  ],
  ['nesting without end', JSON_TYPE, '['.repeat(100_000), INVALID],
  ['an unknown context', JSON_TYPE, { ...disclosure(), '@context': 'x' }, INVALID],
  ['no attributes', JSON_TYPE, { ...disclosure(), disclose: [[[]]] }, INVALID],
  ['an unknown attribute', JSON_TYPE, { ...disclosure(), disclose: [[['svc-demo.gov.idcard.x']]] }, INVALID],
  ['a timeout out of range', JSON_TYPE, { request: disclosure(), timeout: 604_801 }, INVALID],
  ['a negative timeout', JSON_TYPE, { request: disclosure(), timeout: -1 }, INVALID],
  ['another host', JSON_TYPE, { ...disclosure(), host: 'other.example' }, UNAUTHORIZED],
  ['augmentReturnUrl, not allowed', JSON_TYPE, { ...disclosure(), augmentReturnUrl: true }, INVALID],
  [
    'a clientReturnUrl that runs code',
    JSON_TYPE,
    returningTo('javascript:alert(1)'),
    INVALID,
    /^clientReturnUrl: /,
  ],
  ['a clientReturnUrl without a scheme', JSON_TYPE, returningTo('/back'), INVALID, /^clientReturnUrl: /],
  [
    'a clientReturnUrl over the limit',
    JSON_TYPE,
    returningTo('https://shop.example/'.padEnd(2_001, 'x')),
    INVALID,
    /^clientReturnUrl: expected at most 2000 characters \("max_client_return_url"\), got 2001$/,
  ],
  ['nextSession without a URL', JSON_TYPE, { request: disclosure(), nextSession: { url: '' } }, INVALID],
  [
    'an issuance session with an expired key',
    JSON_TYPE,
    {
      '@context': 'https://svc.example/ld/request/issuance/v2',
      credentials: [{ credential: 'svc-demo.old.relic', attributes: { value: 'x' } }],
    },
    INVALID,
    /^cannot issue using expired public key svc-demo.old-0$/,
  ],
]

for (const row of NO_AUTH) Refused(`refused without authentication: ${row[0]}`, () => assertRefused({}, row))

const WITH_AUTH: readonly Refusal[] = [
  ['no token', JSON_TYPE, disclosure(), INVALID, /could not be authenticated/],
  ['no token, as text', TEXT_TYPE, disclosure(), INVALID, /could not be authenticated/],
  [
    'an empty token',
    { ...JSON_TYPE, Authorization: '' },
    disclosure(),
    INVALID,
    /could not be authenticated/,
  ],
  [
    'an unknown token',
    { ...JSON_TYPE, Authorization: 'x' },
    disclosure(),
    UNAUTHORIZED,
    /^expected the token of a requestor in Authorization, got another$/,
  ],
  ['an unknown token, before the body is read', { ...JSON_TYPE, Authorization: 'x' }, '{', UNAUTHORIZED, /^/],
  [
    'a token with Bearer',
    { ...JSON_TYPE, Authorization: `Bearer ${OF_SHOP.Authorization}` },
    disclosure(),
    UNAUTHORIZED,
    /^expected the token of a requestor in Authorization, without "Bearer", got another$/,
  ],
  [
    'a token with bearer',
    { ...JSON_TYPE, Authorization: `bearer ${OF_SHOP.Authorization}` },
    disclosure(),
    UNAUTHORIZED,
    /^expected the token of a requestor in Authorization, without "Bearer", got another$/,
  ],
  [
    'the name in place of the token',
    { ...JSON_TYPE, Authorization: 'shop' },
    disclosure(),
    UNAUTHORIZED,
    /^/,
  ],
  ['a malformed body', { ...JSON_TYPE, ...OF_SHOP }, '{', INVALID],
  [
    'another Content-Type',
    { 'Content-Type': 'text/html', ...OF_SHOP },
    disclosure(),
    OTHER_TYPE,
    /Unsupported/,
  ],
  ['a request that an unknown requestor signed', TEXT_TYPE, JWT, INVALID, /^Unknown requestor/],
  ['a signed request with a token', { ...TEXT_TYPE, ...OF_SHOP }, JWT, INVALID],
  [
    'an attribute that is not permitted',
    { ...JSON_TYPE, ...OF_SHOP },
    { ...disclosure(), disclose: [[[OVER18], ['svc-demo.gov.address.city']]] },
    UNAUTHORIZED,
    /^svc-demo.gov.address.city$/,
  ],
  [
    'no permission at all',
    { ...JSON_TYPE, Authorization: 'token-of-nobody' },
    disclosure(),
    UNAUTHORIZED,
    /^/,
  ],
  [
    'a host that no pattern matches',
    { ...JSON_TYPE, ...OF_SHOP },
    { ...disclosure(), host: 'shop.example' },
    UNAUTHORIZED,
  ],
]

for (const row of WITH_AUTH)
  Refused(`refused of requestors with tokens: ${row[0]}`, () =>
    assertRefused({ settings: AUTHENTICATED }, row),
  )

Refused('a request may be as long as the longest that apps read', () =>
  withServer({}, async server => {
    const LONGEST = 2 ** 20
    const text = JSON.stringify(disclosure()).padEnd(LONGEST)
    assert.is((await server.post(text)).status, 200)
    assert.is((await server.post(`${text} `)).status, 413)
  }),
)

Refused('a clientReturnUrl may be as long as max_client_return_url', async () => {
  for (const [settings, longest] of [
    [{}, 2_000],
    [{ maxClientReturnUrl: 30 }, 30],
  ] as const)
    await withServer({ settings }, async server => {
      const ofLength = (length: number) => returningTo('https://shop.example/'.padEnd(length, 'x'))
      assert.is((await server.post(ofLength(longest))).status, 200)
      const { status, json } = await server.post(ofLength(longest + 1))
      assert.equal([status, Object(json).error], [400, 'INVALID_REQUEST'])
      assert.match(Object(json).message, `expected at most ${longest} characters`)
      assert.match(Object(json).message, `got ${longest + 1}`)
    })
})

Refused('long_values: refuse refuses to issue a value whose hash would be signed, without quoting it', () =>
  withServer({ settings: { longValues: 'refuse' } }, async server => {
    const text = 'a value that is longer than a key'
    const { status, text: answer } = await server.post({
      '@context': 'https://svc.example/ld/request/issuance/v2',
      credentials: [{ credential: 'svc-demo.fast.note', attributes: { text } }],
    })
    assert.is(status, 400)
    assert.match(answer, 'because long_values is refuse, got 33 bytes')
    assert.not.match(answer, text)
  }),
)

Refused.run()
