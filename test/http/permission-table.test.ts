/** The table of permissions (spec/interface#5.1 rule 2; spec/session-server#6.6; spec/decisions#d9): the request, its requestor, the authentication and the form of the request. @module */
import * as assert from 'uvu/assert'
import type { SettingsOfTest } from '../server/node-of-test.ts'
import { suite } from '../suite.ts'
import type { Answer } from './client.ts'
import { disclosure, OVER18, type ServerOfTest, withServer } from './harness.ts'
import {
  ASKS,
  CITY,
  isAllowed,
  NOTE,
  type Patterns,
  PERMISSIONS,
  permsOf,
  requestorsWith,
} from './permissions.ts'
import { claimsOf, HS256, RS256, type Signature, signed } from './signed-requests.ts'

const NOW_SEC = Date.UTC(2026, 5, 1) / 1000 // as the clock of the harness begins
const TEXT = { 'Content-Type': 'text/plain' }

/** Signatures are made once, for all servers. */
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
  ['no_auth, with the token of a requestor', (server, request) => server.post({ request }, TOKEN)],
]

type PermissionSource = readonly [
  title: string,
  settings: (patterns: Patterns) => SettingsOfTest,
  ways: readonly Way[],
]
const PLACES: readonly PermissionSource[] = [
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

const Table = suite('permissions: each request needs its permissions (spec/interface#5.1 rule 2)')

async function assertAnswers(server: ServerOfTest, patterns: Patterns, ways: readonly Way[]): Promise<void> {
  for (const [title, request, needs] of ASKS)
    for (const [way, send] of ways) {
      const sessions = await server.store.sessions.count()
      const { status, json, text } = await send(server, request)
      const allowed = isAllowed(needs, patterns)
      assert.is(status, allowed ? 200 : 403, `${title} by ${way}: ${text}`)
      if (!allowed) assert.is((json as { error: string }).error, 'UNAUTHORIZED')
      assert.is(await server.store.sessions.count(), sessions + (allowed ? 1 : 0))
    }
}

for (const [place, settings, ways] of PLACES)
  for (const patterns of PERMISSIONS)
    Table(`with ${JSON.stringify(patterns)} as permissions: ${place}`, () =>
      withServer({ settings: settings(patterns) }, server => assertAnswers(server, patterns, ways)),
    )

Table(
  'the permissions of a requestor and of the server are added, and those of other requestors do not count',
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

Table('no requestor gets the permissions of another by its name', () => {
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
