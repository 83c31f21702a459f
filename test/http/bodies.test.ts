/** The limits for the body of a request: its size, its time, its form (spec/decisions#d16, #time; spec/session-server#2.4). @module */
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { settle } from '../actors/node.ts'
import { suite } from '../suite.ts'
import { appHeaders, disclosure, type ServerOfTest, type SessionOfTest, withServer } from './harness.ts'

const Bodies = suite('bodies of requests')
const LIMIT = 2_000
const settings = { limits: { bodyBytes: LIMIT } }
const JSON_TYPE = { 'Content-Type': 'application/json' }

/** Content types. The endpoints of wallet apps and frontends accept any of them. */
const TYPES = [
  ['without a type', {}],
  ['as JSON', JSON_TYPE],
  ['as a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['in parts', { 'Content-Type': 'multipart/form-data; boundary=x' }],
  ['with an invalid type', { 'Content-Type': ';' }],
] as const

type Target = readonly [title: string, path: string, headers: Record<string, string>, error: string]

/** Every endpoint that reads a body, with a session whose status allows the call. `/commitments` is refused once its body is read, because the session
 *  discloses. */
async function targets(
  server: ServerOfTest,
): Promise<{ rows: Target[]; session: SessionOfTest; fresh: SessionOfTest }> {
  const [session, fresh] = [await server.create(), await server.create()]
  await server.call('GET', session.app, { headers: appHeaders() })
  const rows: Target[] = [
    ['POST /session', '/session', JSON_TYPE, 'INVALID_REQUEST'],
    ['/proofs', `${session.app}/proofs`, appHeaders(), 'MALFORMED_INPUT'],
    ['/commitments', `${session.app}/commitments`, appHeaders(), 'MALFORMED_INPUT'],
    ...TYPES.map(
      ([title, type]): Target => [
        `/frontend/options ${title}`,
        `${fresh.frontend}/options`,
        { ...fresh.authorization, ...type },
        'MALFORMED_INPUT',
      ],
    ),
  ]
  return { rows, session, fresh }
}

async function assertUntouched(
  server: ServerOfTest,
  session: SessionOfTest,
  fresh: SessionOfTest,
): Promise<void> {
  assert.is((await server.rowOf(session)).version, 2)
  assert.is((await server.rowOf(fresh)).version, 1)
  assert.is(await server.store.sessions.count(), 2)
}

function errorOf(json: unknown): string | undefined {
  return (json as { error?: string } | undefined)?.error
}

for (const [title, size] of [
  ['a little', LIMIT + 1],
  ['far', 50 * LIMIT],
] as const)
  Bodies(`a body ${title} over the limit is refused with 413, and nothing changes`, () =>
    withServer({ settings }, async server => {
      const { rows, session, fresh } = await targets(server)
      for (const [name, path, headers] of rows)
        for (const framing of ['Content-Length', 'Transfer-Encoding']) {
          const framed = { ...headers, [framing]: framing === 'Content-Length' ? String(size) : 'chunked' }
          const { request, answer } = server.begin('POST', path, framed)
          request.end(`"${'x'.repeat(size - 2)}"`)
          const { status, json } = await answer
          assert.is(status, 413, name)
          assert.is(errorOf(json), 'INVALID_REQUEST', name)
          assert.match((json as { message: string }).message, `at most ${LIMIT} bytes`)
        }
      await assertUntouched(server, session, fresh)
    }),
  )

Bodies('a body of exactly the limit is read', () =>
  withServer({ settings }, async server => {
    const text = JSON.stringify(disclosure())
    assert.is((await server.post(text + ' '.repeat(LIMIT - text.length))).status, 200)
  }),
)

Bodies('a body that does not arrive in time is answered with 503, and nothing changes', () =>
  withServer({}, async server => {
    const { rows, session, fresh } = await targets(server)
    for (const [name, path, headers] of rows) {
      const { request, answer } = server.begin('POST', path, { ...headers, 'Content-Length': '100' })
      request.write('{')
      const startedAt = server.clock.now()
      let answered = false
      void answer.finally(() => {
        answered = true
      })
      for (; !answered; await settle()) server.clock.advance(1_000)
      assert.ok(server.clock.now() - startedAt >= 10_000)
      const { status, headers: got, json } = await answer
      assert.is(status, 503, name)
      assert.is(got['retry-after'], '2')
      assert.is(got.connection, 'close')
      assert.is(errorOf(json), 'INTERNAL_ERROR')
      request.destroy()
    }
    await assertUntouched(server, session, fresh)
  }),
)

Bodies('an incomplete body is not handled', () =>
  withServer({}, async server => {
    const { rows, session, fresh } = await targets(server)
    for (const [, path, headers] of rows) {
      const { request, answer } = server.begin('POST', path, { ...headers, 'Content-Length': '3' })
      const logged = server.log.length
      request.write('{}')
      await settle()
      request.destroy()
      await answer.catch(() => {})
      while (server.log.length === logged) await settle()
      assert.match(server.log.at(-1) ?? '', '"status":503')
    }
    await assertUntouched(server, session, fresh)
  }),
)

Bodies('a compressed body is refused, so that a short one cannot become long', () =>
  withServer({}, async server => {
    const { rows, session, fresh } = await targets(server)
    const bomb = gzipSync(' '.repeat(1_000_000))
    for (const encoding of ['gzip', 'deflate', 'br', 'x-unknown', 'gzip, gzip', 'Identity'])
      for (const [name, path, headers] of rows) {
        const answer = await server.call('POST', path, {
          headers: { ...headers, 'Content-Encoding': encoding },
          body: bomb,
        })
        assert.is(answer.status, 415, name)
        assert.is(errorOf(answer.json), 'INVALID_REQUEST', name)
      }
    await assertUntouched(server, session, fresh)
  }),
)

Bodies('irma: a long or compressed body is refused as by existing servers, 400 with their error', () =>
  withServer({ settings: { ...settings, profile: 'irma' } }, async server => {
    const { rows, session, fresh } = await targets(server)
    for (const [name, path, given, error] of rows)
      for (const [headers, body] of [
        [given, 'x'.repeat(LIMIT + 1)],
        [{ ...given, 'Content-Encoding': 'gzip' }, 'x'],
      ] as const) {
        const answer = await server.call('POST', path, { headers, body })
        assert.equal([answer.status, errorOf(answer.json)], [400, error], name)
      }
    await assertUntouched(server, session, fresh)
  }),
)

Bodies('Content-Encoding: identity is accepted', () =>
  withServer({}, async server => {
    assert.is((await server.post(disclosure(), { 'Content-Encoding': 'identity' })).status, 200)
  }),
)

Bodies('a body of any content type is read', () =>
  withServer({}, async server => {
    const context = 'https://svc.example/ld/request/frontendoptions/v1'
    const options = { '@context': context, pairingMethod: 'none' }
    for (const [title, type] of TYPES) {
      const { app, frontend, authorization } = await server.create()
      const headers = { ...authorization, ...type }
      const chosen = await server.call('POST', `${frontend}/options`, { headers, body: options })
      assert.is(chosen.status, 200, `options ${title}`)
      await server.call('GET', app, { headers: appHeaders() })
      const submitted = { headers: { ...appHeaders(), ...type }, body: {} }
      assert.is((await server.call('POST', `${app}/proofs`, submitted)).status, 200, `proofs ${title}`)
    }
    const strange = { 'Content-Type': 'application/json/;' }
    assert.is((await server.post(disclosure(), strange)).status, 200, 'POST /session')
  }),
)

Bodies('a byte order mark is no JSON at any endpoint', () =>
  withServer({}, async server => {
    const { rows, fresh } = await targets(server)
    for (const [name, path, headers, error] of rows.filter(([name]) => name !== '/commitments')) {
      const body = `\ufeff${JSON.stringify(disclosure())}`
      const { status, json } = await server.call('POST', path, { headers, body })
      assert.equal([status, errorOf(json)], [400, error], name)
    }
    assert.is((await server.rowOf(fresh)).version, 1)
  }),
)

Bodies('the body of a call is ignored if the endpoint reads no body', () =>
  withServer({}, async server => {
    const session = await server.create()
    const body = 'x'.repeat(100_000)
    assert.is((await server.call('GET', `${session.app}/status`, { body })).status, 200)
    assert.is((await server.call('GET', session.app, { headers: appHeaders(), body })).status, 200)
    assert.is((await server.call('GET', session.app, { headers: appHeaders() })).status, 200, 'a repetition')
    assert.is((await server.call('DELETE', session.app, { body })).status, 200)
    assert.is((await server.call('POST', '/nothing', { body })).status, 404)
  }),
)

Bodies.run()
