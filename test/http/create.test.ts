/** POST /session (spec/interface#2.2, #2.6, #4.1, #5.1; spec/session-server#6; spec/decisions#d3, #d5). @module */
import * as assert from 'uvu/assert'
import type { RequestorSettings } from '../../http/settings.ts'
import type { SettingsOfTest } from '../server/node-of-test.ts'
import { suite } from '../suite.ts'
import {
  AUTHENTICATED,
  appHeaders,
  disclosure,
  factsOf,
  OF_SHOP,
  type SessionOfTest,
  SHOP,
  sessionIn,
  withServer,
} from './harness.ts'

const Create = suite('POST /session')
Create('answers a session package, whose random values are drawn in the documented order', () =>
  withServer({}, async server => {
    const answer = await server.post(disclosure())
    assert.is(answer.status, 200)
    assert.is(answer.headers['content-type'], 'application/json; charset=UTF-8')
    const [client, requestor, frontend] = ['1', '2', '3'].map(n => `token${n.padStart(15, '0')}`)
    assert.is(
      answer.text,
      `{"sessionPtr":{"u":"http://sessions.example:8088/svc/session/${client}","svcqr":"disclosing"},"token":"${requestor}",` +
        `"frontendRequest":{"authorization":"${frontend}","minProtocolVersion":"1.0","maxProtocolVersion":"1.1"}}`,
    )
    const row = await server.rowOf(sessionIn(answer))
    assert.is(row.nonce, 'BA==')
    assert.is(row.status, 'INITIALIZED')
  }),
)

Create('a plain or extended request in JSON may be application/json or text/plain (spec/decisions#d5)', () =>
  withServer({}, async server => {
    const types = [
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'text/plain;charset=utf-8',
    ]
    for (const type of types)
      for (const body of [disclosure(), { request: disclosure(), timeout: 10, validity: 60 }])
        assert.is((await server.post(body, { 'Content-Type': type })).status, 200, type)
  }),
)

Create('without authentication an Authorization header is ignored', () =>
  withServer({}, async server => {
    assert.is((await server.post(disclosure(), { Authorization: 'anything' })).status, 200)
  }),
)

Create(
  'a requestor with its token starts a session; its name is stored, and the host is in the pointer',
  () =>
    withServer({ settings: AUTHENTICATED }, async server => {
      for (const type of ['application/json', 'text/plain']) {
        const request = { ...disclosure(), host: 'www.shop.example' }
        const answer = await server.post(request, { 'Content-Type': type, ...OF_SHOP })
        assert.match(answer.text, '"u":"http://www.shop.example/svc/session/')
        assert.is((await server.rowOf(sessionIn(answer))).requestor, 'shop')
      }
    }),
)

Create('the path of `url` is in the pointer, with a slash at its end', () =>
  withServer({ settings: { url: 'https://a.example/svc-server' } }, async server => {
    assert.match(
      (await server.post(disclosure())).text,
      '"u":"https://a.example/svc-server/svc/session/token',
    )
  }),
)

const MINUTE = 60_000
type Stay = readonly [
  title: string,
  settings: SettingsOfTest,
  timeout: number | undefined,
  open: number,
  later: number,
]
const STAYS: readonly Stay[] = [
  ['svc, no timeout: 300 s', {}, undefined, 5 * MINUTE, 5 * MINUTE],
  ['svc, 0 is none', {}, 0, 5 * MINUTE, 5 * MINUTE],
  ['svc: the timeout bounds every open status', {}, 60, MINUTE, MINUTE],
  ['irma, no timeout: 15 min', { profile: 'irma' }, undefined, 15 * MINUTE, 15 * MINUTE],
  ['irma: the timeout bounds the first status', { profile: 'irma' }, 60, MINUTE, 15 * MINUTE],
  [
    'max-session-lifetime replaces the default',
    { maxSessionLifetimeMs: 7 * MINUTE },
    undefined,
    7 * MINUTE,
    7 * MINUTE,
  ],
]

for (const [title, settings, timeout, open, later] of STAYS)
  Create(`bounds of the stay in a status (spec/decisions#d3): ${title}`, () =>
    withServer({ settings }, async server => {
      const session = await server.create({}, timeout === undefined ? {} : { timeout })
      const row = await server.rowOf(session)
      const { timeoutMs, connectedTimeoutMs, retentionMs } = factsOf(row)
      assert.equal([timeoutMs, connectedTimeoutMs, retentionMs], [open, later, 5 * MINUTE])
    }),
  )

Create('the requestor token is appended to the return URL if requestor and server allow it', () =>
  withServer({ settings: { augmentClientReturnUrl: true } }, async server => {
    const session = await server.create({ augmentReturnUrl: true, clientReturnUrl: 'https://a.example/?b=c' })
    const row = await server.rowOf(session)
    assert.match(row.request.text, `"https://a.example/?b=c&token=${session.requestorToken}"`)
  }),
)

Create('without a key that signs results, callbacks are refused unless unsigned ones are allowed', () =>
  withServer({ settings: { profile: 'irma' } }, async server => {
    const request = disclosure('https://irma.app')
    const refused = [
      { request, callbackUrl: 'http://a.example' },
      { request, nextSession: { url: 'http://a.example' } },
    ]
    for (const body of refused) {
      const answer = await server.post(body)
      assert.is(answer.status, 501)
      assert.is((answer.json as { error: string }).error, 'UNSUPPORTED')
    }
    assert.is((await server.post({ request, nextSession: { url: '' } })).status, 400)
    assert.is(await server.store.sessions.count(), 0)
  }),
)

Create('a callbackUrl that is no http or https address is refused when the session is created', () =>
  withServer({}, async server => {
    const request = disclosure()
    const answer = await server.post({ request, callbackUrl: 'shop.example/secret' })
    assert.is(answer.status, 400)
    assert.match(answer.text, '"error":"INVALID_REQUEST"')
    assert.match(answer.text, 'callbackUrl: expected an http or https address')
    assert.not.match(answer.text, 'secret')
    assert.is(await server.store.sessions.count(), 0)
    assert.is((await server.post({ request, callbackUrl: 'http://shop.example/secret' })).status, 200)
  }),
)

Create(
  'a callback is owed at the end of a session with a callbackUrl, and of no other (spec/interface#2.6)',
  () =>
    withServer({}, async server => {
      const asked = await server.create({}, { callbackUrl: 'http://a.example/b?c' })
      const plain = await server.create({}, { callbackUrl: '' })
      assert.equal(await server.store.deliveries.list(), [])
      for (const session of [asked, plain]) assert.is((await server.call('DELETE', session.app)).status, 200)
      const owed = await server.store.deliveries.list()
      assert.equal(
        owed.map(({ cause, host, state }) => [cause, host, state]),
        [['CANCELLED', 'a.example', 'waiting']],
      )
    }),
)

Create(
  'callbackUrl and nextSession without a JWT key: accepted in svc, and in irma if the option allows it',
  async () => {
    for (const settings of [{}, { profile: 'irma', allowUnsignedCallbacks: true }] as const)
      await withServer({ settings }, async server => {
        const request = disclosure(server.settings.profile.contextBase)
        for (const member of [
          { callbackUrl: 'http://a.example' },
          { nextSession: { url: 'http://a.example' } },
        ])
          assert.is((await server.post({ request, ...member })).status, 200)
      })
  },
)

Create(
  'the order of checks: requestor, form, permission, next session, JWT key, schemes (spec/session-server#6.1)',
  () =>
    withServer({ settings: { ...AUTHENTICATED, profile: 'irma' } }, async server => {
      const forbidden = { '@context': 'https://irma.app/ld/request/disclosure/v2', disclose: [[['a.b.c.d']]] }
      const unknown = {
        ...forbidden,
        disclose: [[['svc-demo.gov.idcard.nope']]],
        host: 'www.shop.example',
      }
      const empty = { nextSession: { url: '' }, callbackUrl: 'http://a.example' }
      const steps: readonly (readonly [unknown, Record<string, string>, string])[] = [
        [{ request: {}, ...empty }, { Authorization: 'x' }, '403 UNAUTHORIZED'],
        [{ request: {}, ...empty }, OF_SHOP, '400 INVALID_REQUEST'],
        [{ request: forbidden, ...empty }, OF_SHOP, '403 UNAUTHORIZED a.b.c.d'],
        [{ request: unknown, ...empty }, OF_SHOP, '400 INVALID_REQUEST nextSession provided with empty URL'],
        [{ request: unknown, callbackUrl: 'http://a.example' }, OF_SHOP, '501 UNSUPPORTED callbackUrl'],
        [{ request: unknown }, OF_SHOP, '400 INVALID_REQUEST Unknown identifiers'],
      ]
      for (const [body, headers, expected] of steps) {
        const { status, json } = await server.post(body, headers)
        const { error, message = '' } = json as { error: string; message?: string }
        assert.ok(
          `${status} ${error} ${message}`.startsWith(expected),
          `${expected}: ${status} ${error} ${message}`,
        )
      }
    }),
)

Create(
  'without host permissions only the own host is allowed; with them, matching hosts (spec/interface#5.1 rule 2)',
  async () => {
    const of = (hostPerms: readonly string[]) => ({ permissions: { hostPerms } })
    const [irma, own, bare] = [{ profile: 'irma' }, 'sessions.example:8088', 'sessions.example'] as const
    for (const [settings, allowed, refused] of [
      [{}, ['', own, bare, 'sessions.example:1'], ['www.shop.example', 'SESSIONS.example:8088']],
      [irma, ['', own], [bare, 'sessions.example:1', 'www.shop.example', 'SESSIONS.example:8088']],
      [of(['*.shop.example']), ['www.shop.example'], ['', 'sessions.example:8088', 'shop.example']],
      [of(['*.example', 'sessions.example:*']), ['', 'www.shop.example'], ['www.example.org']],
    ] as const)
      await withServer({ settings }, async server => {
        for (const host of [...allowed, ...refused]) {
          const { contextBase } = server.settings.profile
          const { status } = await server.post({ ...disclosure(contextBase), host })
          assert.is(status, allowed.some(one => one === host) ? 200 : 403, host)
        }
      })
  },
)

Create(
  'the own host of the server is in the pointer with its port, also if the request names it without',
  () =>
    withServer({}, async ({ post }) => {
      for (const host of ['sessions.example', 'sessions.example:8088'])
        assert.match(
          (await post({ ...disclosure(), host })).text,
          '"u":"http://sessions.example:8088/svc/session/',
        )
    }),
)

Create('a request may name the own host of the server, with its port', () =>
  withServer({}, async ({ post }) => {
    const { status, text } = await post({ ...disclosure(), host: 'sessions.example:8088' })
    assert.is(status, 200, text)
  }),
)

Create('an overloaded server answers 503 with Retry-After, and stores nothing', () =>
  withServer({ isOverloaded: () => true }, async server => {
    const answer = await server.post(disclosure())
    assert.is(answer.status, 503)
    assert.is(answer.headers['retry-after'], '2')
    const { error, description, message } = Object(answer.json)
    assert.equal(
      [error, description, message],
      [
        'OVERLOADED',
        'This server has too much to do at the moment',
        'too many proofs are waiting to be checked',
      ],
    )
    assert.is(await server.store.sessions.count(), 0)
  }),
)

Create('only a requestor with too many sessions is refused: they neither begin nor connect', () => {
  let flooder = ''
  const shop: RequestorSettings = { ...SHOP, hostPerms: [] }
  const other: RequestorSettings = {
    ...shop,
    name: 'other',
    auth: { method: 'token', token: 'token-of-other' },
  }
  const settings = { ...AUTHENTICATED, requestors: [shop, other] }
  return withServer({ settings, isOverloaded: requestor => requestor === flooder }, async server => {
    const begin = (token: string) => server.post(disclosure(), { Authorization: token })
    const tokens = [OF_SHOP.Authorization, 'token-of-other'] as const
    const [ofShop, ofOther] = [sessionIn(await begin(tokens[0])), sessionIn(await begin(tokens[1]))]
    flooder = SHOP.name
    assert.equal([(await begin(tokens[0])).status, (await begin(tokens[1])).status], [503, 200])
    const connect = async ({ app }: SessionOfTest) =>
      (await server.call('GET', app, { headers: appHeaders() })).status
    assert.equal([await connect(ofShop), await connect(ofOther)], [503, 200])
  })
})

Create('503 above the maximum number of stored sessions', () =>
  withServer({ limits: { maxSessions: 1 } }, async server => {
    await server.create()
    assert.is((await server.post(disclosure())).status, 503)
  }),
)

Create.run()
