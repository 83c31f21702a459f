/** The frontend endpoints (spec/interface#2.10, #4.4, #5.3; spec/decisions#d14), versions 1.0 and 1.1. @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { appHeaders, type ServerOfTest, type SessionOfTest, withServer } from './harness.ts'

const Frontend = suite('frontend endpoints')
const OPTIONS = 'https://svc.example/ld/options/v1'
const REQUEST = 'https://svc.example/ld/request/frontendoptions/v1'

function choose(server: ServerOfTest, { frontend, authorization: headers }: SessionOfTest, body: unknown) {
  return server.call('POST', `${frontend}/options`, { headers, body })
}

function pair(server: ServerOfTest, { frontend, authorization: headers }: SessionOfTest) {
  return server.call('POST', `${frontend}/pairingcompleted`, { headers })
}

/** status and error type */
function errorOf({ status, json }: { status: number; json: unknown }): string {
  return `${status} ${(json as { error?: string } | undefined)?.error}`
}

Frontend('every endpoint needs the authorization of this session, and its error does not quote any', () =>
  withServer({}, async server => {
    const session = await server.create()
    const other = await server.create()
    const wrong = ['', 'x', session.requestorToken, session.clientToken, other.authorization.Authorization]
    for (const Authorization of wrong)
      for (const [method, path] of [
        ['GET', 'status'],
        ['GET', 'statusevents'],
        ['POST', 'options'],
        ['POST', 'pairingcompleted'],
      ] as const) {
        const answer = await server.call(method, `${session.frontend}/${path}`, {
          headers: { Authorization },
        })
        assert.equal(answer.json, {
          status: 403,
          error: 'UNAUTHORIZED',
          description: 'You are not authorized to access the session',
        })
      }
    assert.is((await server.rowOf(session)).version, 1)
  }),
)

Frontend('the status of the frontend is an object; frontends of version 1.0 read that of the app', () =>
  withServer({}, async server => {
    const { app, frontend, authorization: headers } = await server.create()
    const status = await server.call('GET', `${frontend}/status`, { headers })
    assert.is(status.text, '{"status":"INITIALIZED"}')
    assert.is(status.headers['content-type'], 'application/json; charset=UTF-8')
    assert.is((await server.call('GET', `${app}/status`)).text, '"INITIALIZED"')
  }),
)

Frontend('options may be set again until the app connects; each method pin gives a new code', () =>
  withServer({}, async server => {
    const session = await server.create()
    const codes: unknown[] = []
    for (const pairingMethod of ['pin', 'none', 'pin', 'pin']) {
      const answer = await choose(server, session, { '@context': REQUEST, pairingMethod })
      assert.is(answer.status, 200)
      const { pairingCode, ...rest } = answer.json as Record<string, unknown>
      assert.equal(rest, { '@context': OPTIONS, pairingMethod })
      if (pairingMethod === 'none') assert.is(pairingCode, undefined)
      else codes.push(pairingCode)
    }
    assert.is(new Set(codes).size, 3)
    assert.is((await server.rowOf(session)).pairingCode, codes.at(-1))
  }),
)

Frontend('the content type of the options does not matter', () =>
  withServer({}, async server => {
    const session = await server.create()
    const body = JSON.stringify({ '@context': REQUEST, pairingMethod: 'none' })
    for (const type of ['text/html', 'application/x-www-form-urlencoded', '']) {
      const headers = { ...session.authorization, 'Content-Type': type }
      assert.is(
        (await server.call('POST', `${session.frontend}/options`, { headers, body })).status,
        200,
        type,
      )
    }
  }),
)

const BAD_OPTIONS: readonly (readonly [title: string, body: unknown, expected: string])[] = [
  ['no body', undefined, '400 MALFORMED_INPUT'],
  ['malformed JSON', '{', '400 MALFORMED_INPUT'],
  ['bytes that are not UTF-8', new Uint8Array([0xff]), '400 MALFORMED_INPUT'],
  ['a list', '[]', '400 MALFORMED_INPUT'],
  ['null', 'null', '400 MALFORMED_INPUT'],
  ['a prototype name', `{"@context":"${REQUEST}","__proto__":1}`, '400 MALFORMED_INPUT'],
  ['no context', { pairingMethod: 'pin' }, '400 MALFORMED_INPUT'],
  ['another context', { '@context': OPTIONS, pairingMethod: 'pin' }, '400 MALFORMED_INPUT'],
  ['a method that is no text', { '@context': REQUEST, pairingMethod: 5 }, '400 MALFORMED_INPUT'],
  ['an unknown method', { '@context': REQUEST, pairingMethod: 'smoke' }, '403 UNEXPECTED_REQUEST'],
]

for (const [title, body, expected] of BAD_OPTIONS)
  Frontend(`options are refused and nothing changes: ${title}`, () =>
    withServer({}, async server => {
      const session = await server.create()
      assert.is(errorOf(await choose(server, session, body)), expected)
      assert.is((await server.rowOf(session)).version, 1)
    }),
  )

Frontend('options without a method mean none in svc, and leave the current options in irma', async () => {
  for (const [profile, expected] of [
    ['svc', 'none'],
    ['irma', 'pin'],
  ] as const)
    await withServer({ settings: { profile } }, async server => {
      const session = await server.create()
      const context = { '@context': `${server.settings.profile.contextBase}/ld/request/frontendoptions/v1` }
      await choose(server, session, { ...context, pairingMethod: 'pin' })
      for (const body of [context, { ...context, pairingMethod: '' }, { ...context, pairingMethod: null }]) {
        const answer = await choose(server, session, body)
        assert.is((answer.json as { pairingMethod: string }).pairingMethod, expected)
      }
      await server.call('DELETE', session.app)
      assert.is(errorOf(await choose(server, session, context)), '403 UNEXPECTED_REQUEST')
    })
})

Frontend('pairing: the app waits, the frontend confirms once with 204, and then options are fixed', () =>
  withServer({}, async server => {
    const session = await server.create()
    assert.is(errorOf(await pair(server, session)), '403 UNEXPECTED_REQUEST')
    await choose(server, session, { '@context': REQUEST, pairingMethod: 'pin' })
    assert.is(errorOf(await pair(server, session)), '403 UNEXPECTED_REQUEST')
    await server.call('GET', session.app, { headers: appHeaders() })
    const late = { '@context': REQUEST, pairingMethod: 'none' }
    assert.is(errorOf(await choose(server, session, late)), '403 UNEXPECTED_REQUEST')
    const confirmed = await pair(server, session)
    assert.is(confirmed.status, 204)
    assert.is(confirmed.text, '')
    assert.is(confirmed.headers['content-type'], undefined)
    assert.is((await server.rowOf(session)).status, 'CONNECTED')
    assert.is(errorOf(await pair(server, session)), '403 UNEXPECTED_REQUEST')
    assert.is(errorOf(await choose(server, session, late)), '403 UNEXPECTED_REQUEST')
    await server.call('DELETE', session.app)
    assert.is(errorOf(await pair(server, session)), '403 UNEXPECTED_REQUEST')
    assert.is(errorOf(await choose(server, session, { '@context': REQUEST })), '403 UNEXPECTED_REQUEST')
  }),
)

Frontend('only one of several concurrent confirmations succeeds', () =>
  withServer({}, async server => {
    const session = await server.create()
    await choose(server, session, { '@context': REQUEST, pairingMethod: 'pin' })
    await server.call('GET', session.app, { headers: appHeaders() })
    const answers = await Promise.all([pair(server, session), pair(server, session), pair(server, session)])
    assert.equal(answers.map(({ status }) => status).sort(), [204, 403, 403])
  }),
)

Frontend('the host of the request is checked before the authorization', () =>
  withServer({ settings: { permissions: { hostPerms: ['a.example'] } } }, async server => {
    const session = await server.create({ host: 'a.example' })
    for (const Host of ['b.example', 'b.example:8088', 'A.example']) {
      const answer = await server.call('GET', `${session.frontend}/status`, { headers: { Host } })
      assert.equal(answer.json, {
        status: 403,
        error: 'UNAUTHORIZED',
        description: 'The host is not that of the session, or not allowed',
        message: 'Host mismatch: expected the host that the session request names, got another',
      })
    }
    const headers = { Host: 'a.example', ...session.authorization }
    assert.is((await server.call('GET', `${session.frontend}/status`, { headers })).status, 200)
  }),
)

Frontend.run()
