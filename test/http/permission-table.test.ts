/** The table of permissions (spec 5.1 rule 2; spec/session-server.md 6.6; D9): what is asked for, by whom, known how, in which wrapping. What a requestor
 *  should get is worked out here from the words of the specification, not with the code under test. @module */
import * as assert from 'uvu/assert'
import type { RequestorSettings, ServerOptions } from '../../http/settings.ts'
import { suite } from '../suite.ts'
import type { Answer } from './client.ts'
import { disclosure, OVER18, type ServerOfTest, withServer } from './harness.ts'
import { claimsOf, HS256, RS256, RSA_PUBLIC, SECRET, type Signature, signed } from './signed-requests.ts'

const NOW_SEC = Date.UTC(2026, 5, 1) / 1000 // as the clock of the harness begins
const SERVER_HOST = 'sessions.example:8088'
const CITY = 'svc-demo.gov.address.city'
const IDCARD = 'svc-demo.gov.idcard'
const NOTE = 'svc-demo.fast.note'
const BASE = 'https://svc.example/ld/request'
const noteRequest = { credential: NOTE, attributes: { text: 'x' } }
const idcardRequest = {
  credential: IDCARD,
  attributes: { initials: 'A.', familyname: 'B', over18: 'yes', docnumber: 'C', nationality: 'D' },
}

type Kind = 'disclose' | 'sign' | 'issue' | 'host'
type Needs = Partial<Record<Kind, readonly string[]>>
type Ask = readonly [title: string, request: object, needs: Needs]

const disclosing = (...disclose: unknown[]) => ({ '@context': `${BASE}/disclosure/v2`, disclose })
const signing = (...disclose: unknown[]) => ({ '@context': `${BASE}/signature/v2`, message: 'm', disclose })
const issuing = (credentials: object[], ...disclose: unknown[]) => ({
  '@context': `${BASE}/issuance/v2`,
  credentials,
  disclose,
})

const ASKS: readonly Ask[] = [
  ['an attribute', disclosing([[OVER18]]), { disclose: [OVER18] }],
  ['another attribute', disclosing([[CITY]]), { disclose: [CITY] }],
  ['an attribute or another one', disclosing([[OVER18], [CITY]]), { disclose: [OVER18, CITY] }],
  ['an attribute that is optional', disclosing([[OVER18]], [[], [CITY]]), { disclose: [OVER18, CITY] }],
  ['two attributes together', disclosing([[OVER18, CITY]]), { disclose: [OVER18, CITY] }],
  ['an attribute with its value', disclosing([[{ type: CITY, value: 'x' }]]), { disclose: [CITY] }],
  ['a credential itself', disclosing([[IDCARD]]), { disclose: [`${IDCARD}.*`] }],
  ['a signature alone', signing(), {}],
  ['a signature with an attribute', signing([[OVER18]]), { sign: [OVER18] }],
  ['a signature with an attribute or another one', signing([[OVER18], [CITY]]), { sign: [OVER18, CITY] }],
  ['a credential to issue', issuing([noteRequest]), { issue: [NOTE] }],
  ['another credential to issue', issuing([idcardRequest]), { issue: [IDCARD] }],
  ['two credentials to issue', issuing([noteRequest, idcardRequest]), { issue: [NOTE, IDCARD] }],
  ['combined', issuing([noteRequest], [[OVER18]]), { issue: [NOTE], disclose: [OVER18] }],
  ['combined, optional', issuing([noteRequest], [[], [CITY]]), { issue: [NOTE], disclose: [CITY] }],
  [
    'combined, two and two',
    issuing([noteRequest, idcardRequest], [[OVER18], [CITY]]),
    { issue: [NOTE, IDCARD], disclose: [OVER18, CITY] },
  ],
  [
    'an attribute at a host',
    { ...disclosing([[OVER18]]), host: 'www.shop.example' },
    { disclose: [OVER18], host: ['www.shop.example'] },
  ],
  [
    'an attribute at another host',
    { ...disclosing([[OVER18]]), host: 'shop.example' },
    { disclose: [OVER18], host: ['shop.example'] },
  ],
  [
    'the legacy form',
    { type: 'disclosing', content: [{ label: 'l', attributes: [OVER18, CITY] }] },
    { disclose: [OVER18, CITY] },
  ],
  [
    'the legacy form of a signature',
    { type: 'signing', message: 'm', content: [{ label: 'l', attributes: [OVER18] }] },
    { sign: [OVER18] },
  ],
  [
    'the legacy form, combined',
    { type: 'issuing', credentials: [noteRequest], disclose: [{ label: 'l', attributes: [CITY] }] },
    { issue: [NOTE], disclose: [CITY] },
  ],
]

type Patterns = Partial<Record<Kind, readonly string[]>>
const PERMISSIONS: readonly Patterns[] = [
  {},
  { disclose: [OVER18] },
  { disclose: [`${IDCARD}.*`] },
  { disclose: ['svc-demo.gov.*'], issue: [NOTE] },
  { disclose: ['svc-demo.*'], issue: ['svc-demo.fast.*'] },
  { disclose: ['*'] },
  { sign: [OVER18] },
  { sign: ['svc-demo.gov.*'] },
  { sign: ['*'] },
  { issue: [NOTE] },
  { issue: ['svc-demo.gov.*'], disclose: [CITY] },
  { issue: ['svc-demo.*'], sign: ['*'] },
  { issue: ['*'] },
  { disclose: ['*'], sign: ['*'], issue: ['*'] },
  { disclose: ['*'], host: ['*.shop.example'] },
  { disclose: ['*'], host: ['*.shop.example', SERVER_HOST, 'shop.example'] },
  // what looks like a permission and is none
  {
    disclose: [
      'svc-demo',
      'svc-demo.gov',
      'svc-demo.gov.idcard',
      'svc-demo.gov.id*',
      'gov.*',
      '',
      '*.*',
      'svc-demo.gov.address.*.*',
    ],
  },
  { disclose: ['svc-keyshare.*', 'svc-demo.uni.*', 'svc-demo.gov.idcard.over1', 'SVC-DEMO.*'] },
  { issue: [`${NOTE}.*`, `${IDCARD}.*`, 'svc-demo.fast', 'svc-demo.fast.no*', 'svc-demo.uni.*'] },
]

/** The words of the specification: an id itself, or everything below a front part of it. */
function covers(pattern: string, id: string): boolean {
  if (pattern === '*' || pattern === id) return true
  return /^[^*]+\.\*$/.test(pattern) && id.startsWith(pattern.slice(0, -1))
}

function mayUseHost(patterns: readonly string[], host: string): boolean {
  if (patterns.length === 0) return host === SERVER_HOST
  return patterns.some(pattern =>
    pattern.startsWith('*') ? host.endsWith(pattern.slice(1)) : pattern === host,
  )
}

function isAllowed(needs: Needs, patterns: Patterns): boolean {
  const kinds = ['disclose', 'sign', 'issue'] as const
  const [host = SERVER_HOST] = needs.host ?? []
  return (
    mayUseHost(patterns.host ?? [], host) &&
    kinds.every(kind =>
      (needs[kind] ?? []).every(id => (patterns[kind] ?? []).some(pattern => covers(pattern, id))),
    )
  )
}

function permsOf({ disclose = [], sign = [], issue = [], host = [] }: Patterns) {
  return { disclosePerms: disclose, signPerms: sign, issuePerms: issue, hostPerms: host }
}

/** The same permissions, known in each way. */
function requestorsWith(patterns: Patterns): readonly RequestorSettings[] {
  const perms = permsOf(patterns)
  return [
    { name: 'tokenshop', auth: { method: 'token', token: 'token-of-the-shop' }, ...perms },
    { name: 'hmacshop', auth: { method: 'hmac', key: SECRET }, ...perms },
    { name: 'rsashop', auth: { method: 'publickey', key: RSA_PUBLIC }, ...perms },
  ]
}

const TEXT = { 'Content-Type': 'text/plain' }

/** A signature is made once for all servers. */
const signatures = new Map<string, Promise<string>>()

async function sendSigned(server: ServerOfTest, name: string, request: object, signature: Signature) {
  const key = JSON.stringify([name, signature.alg, signature.kid, request])
  const made = signatures.get(key) ?? signed(claimsOf(name, { request }, NOW_SEC), signature)
  signatures.set(key, made)
  return server.call('POST', '/session', { headers: TEXT, body: await made })
}

type Way = readonly [name: string, send: (server: ServerOfTest, request: object) => Promise<Answer>]
const TOKEN = { Authorization: 'token-of-the-shop' }
const KNOWN_WAYS: readonly Way[] = [
  ['token', (server, request) => server.post(request, TOKEN)],
  ['token, extended', (server, request) => server.post({ request }, { ...TOKEN, ...TEXT })],
  ['hmac', (server, request) => sendSigned(server, 'hmacshop', request, HS256)],
  ['publickey', (server, request) => sendSigned(server, 'rsashop', request, RS256)],
]
const NO_AUTH_WAYS: readonly Way[] = [
  ['no_auth', (server, request) => server.post(request)],
  ['no_auth, with the token of somebody', (server, request) => server.post({ request }, TOKEN)],
]

type Place = readonly [
  title: string,
  settings: (patterns: Patterns) => Partial<ServerOptions>,
  ways: readonly Way[],
]
const PLACES: readonly Place[] = [
  [
    'its own',
    patterns => ({ noAuth: false, requestors: requestorsWith(patterns), permissions: permsOf({}) }),
    KNOWN_WAYS,
  ],
  [
    'those of the server',
    patterns => ({ noAuth: false, requestors: requestorsWith({}), permissions: permsOf(patterns) }),
    KNOWN_WAYS,
  ],
  ['those of the server, no_auth', patterns => ({ permissions: permsOf(patterns) }), NO_AUTH_WAYS],
]

const Table = suite('permissions: nobody gets what it may not have (spec 5.1 rule 2)')

async function assertAnswers(server: ServerOfTest, patterns: Patterns, ways: readonly Way[]): Promise<void> {
  for (const [title, request, needs] of ASKS)
    for (const [way, send] of ways) {
      const sessions = await server.store.count()
      const { status, json, text } = await send(server, request)
      const allowed = isAllowed(needs, patterns)
      assert.is(status, allowed ? 200 : 403, `${title} by ${way}: ${text}`)
      if (!allowed) assert.is((json as { error: string }).error, 'UNAUTHORIZED')
      assert.is(await server.store.count(), sessions + (allowed ? 1 : 0))
    }
}

for (const [place, settings, ways] of PLACES)
  for (const patterns of PERMISSIONS)
    Table(`with ${JSON.stringify(patterns)} as permissions: ${place}`, () =>
      withServer({ settings: settings(patterns) }, server => assertAnswers(server, patterns, ways)),
    )

Table(
  'the permissions of a requestor and those of the server count together, those of another requestor never',
  () => {
    const [token, hmac, rsa] = [
      { disclose: [OVER18] },
      { issue: [NOTE] },
      { disclose: ['*'], sign: ['*'], issue: ['*'] },
    ].map(requestorsWith)
    const requestors = [token, hmac, rsa].map((list, i) => list?.[i]).filter(one => one !== undefined)
    const permissions = permsOf({ disclose: [CITY] })
    return withServer({ settings: { noAuth: false, requestors, permissions } }, async server => {
      const [, , ofHmac, ofRsa] = KNOWN_WAYS
      assert.ok(ofHmac && ofRsa)
      await assertAnswers(server, { disclose: [OVER18, CITY] }, KNOWN_WAYS.slice(0, 2))
      await assertAnswers(server, { issue: [NOTE], disclose: [CITY] }, [ofHmac])
      await assertAnswers(server, { disclose: ['*'], sign: ['*'], issue: ['*'] }, [ofRsa])
    })
  },
)

Table('no requestor borrows the name of another', () => {
  const powerful = { disclose: ['*'], sign: ['*'], issue: ['*'] }
  const requestors = requestorsWith(powerful).map((one, i) => (i === 2 ? one : { ...one, ...permsOf({}) }))
  return withServer({ settings: { noAuth: false, requestors, permissions: permsOf({}) } }, async server => {
    const refused: readonly (readonly [string, Signature])[] = [
      ['rsashop', HS256],
      ['hmacshop', { ...HS256, kid: 'rsashop' }],
      ['rsashop', { ...RS256, kid: 'hmacshop' }],
    ]
    for (const [name, signature] of refused)
      assert.is((await sendSigned(server, name, disclosure(), signature)).status, 400)
    const own = await sendSigned(server, 'rsashop', disclosure(), { ...HS256, kid: 'hmacshop' })
    assert.is(own.status, 403, 'its own name in kid: its own permissions')
    assert.is((await sendSigned(server, 'rsashop', disclosure(), RS256)).status, 200)
  })
})

Table.run()
