/** The endpoint for each path and method (spec/interface#4; spec/session-server#2.1, spec/decisions#d1, #d2), in both profiles. @module */
import * as assert from 'uvu/assert'
import type { Profile, ProfileName } from '../../protocol/profiles.ts'
import { suite } from '../suite.ts'
import { appHeaders, disclosure, type ServerOfTest, type SessionOfTest, withServer } from './harness.ts'

const Routing = suite('routing')
const BARE_NOT_FOUND = { status: 404, error: 'INVALID_REQUEST' }
const NOT_FOUND = { ...BARE_NOT_FOUND, description: 'Not found' }
/** @param allowed value of the header `Allow` */
const notAllowed = (allowed: string) => ({
  status: 405,
  error: 'INVALID_REQUEST',
  description: 'Method not allowed',
  message: `method: expected ${allowed}, got another`,
})
const UNKNOWN = { status: 400, error: 'SESSION_UNKNOWN', description: 'Unknown or expired session' }
const FORBIDDEN = {
  status: 403,
  error: 'UNAUTHORIZED',
  description: 'You are not authorized to access the session',
}
const STATIC = {
  status: 400,
  error: 'INVALID_REQUEST',
  description: 'Invalid HTTP request',
  message: 'unknown static session',
}
const NO_KEY = {
  status: 501,
  error: 'UNSUPPORTED',
  description: 'Unsupported by this server',
  message: 'expected a JWT private key, got none',
}
const STRANGER = 'z'.repeat(20)

/** `expected`: the error, the status, or for 405 the allowed methods. */
type Row = readonly [method: string, path: string, expected: object | number | string]

function clientRows({ app, frontend }: SessionOfTest, prefix: string): Row[] {
  const SESSION = 'DELETE, GET, HEAD, POST'
  return [
    ['GET', `${app}/status`, 200],
    ['GET', `${app}/status/`, NOT_FOUND],
    ['GET', `${app}//`, NOT_FOUND],
    ['GET', `${app}/nothing`, NOT_FOUND],
    ['GET', `${app}/STATUS`, NOT_FOUND],
    ['POST', `${app}/proofs/`, NOT_FOUND],
    ['GET', `${app}/proofs`, 'POST'],
    ['POST', `${app}/status`, 'GET, HEAD'],
    ['PUT', app, SESSION],
    ['PATCH', `${app}/`, 'DELETE, GET, HEAD'],
    ['OPTIONS', app, SESSION],
    ['PROPFIND', `${app}/request`, 'GET, HEAD'],
    ['POST', `${app}/`, 'DELETE, GET, HEAD'],
    ['POST', app, STATIC],
    ['POST', `${prefix}/session/any_name`, STATIC],
    ['GET', `${prefix}/session/${STRANGER}/nothing`, UNKNOWN],
    ['PUT', `${prefix}/session/${STRANGER}/status`, UNKNOWN],
    ['GET', `${prefix}/session/short/nothing`, UNKNOWN],
    ['GET', `${frontend}/nothing`, FORBIDDEN],
    ['GET', `${frontend}/options`, FORBIDDEN],
    ['GET', frontend, FORBIDDEN],
    ['GET', `${prefix}/session/${STRANGER}/frontend/nothing`, UNKNOWN],
    ['GET', `${prefix}/nothing`, NOT_FOUND],
    ['GET', `${prefix}/`, NOT_FOUND],
    ['GET', prefix, NOT_FOUND],
    ['GET', `${prefix}/session/`, NOT_FOUND],
  ]
}

function requestorRows({ requestor }: SessionOfTest): Row[] {
  return [
    ['GET', `${requestor}/status`, 200],
    ['GET', `${requestor}/status/`, NOT_FOUND],
    ['POST', `${requestor}/status`, 'GET, HEAD'],
    ['GET', requestor, 'DELETE'],
    ['GET', `${requestor}/nothing`, NOT_FOUND],
    ['GET', '/session', 'POST'],
    ['PUT', '/session/', 'POST'],
    ['POST', '/session//', NOT_FOUND],
    ['POST', '/SESSION', NOT_FOUND],
    ['GET', '/health/', NOT_FOUND],
    ['GET', `${requestor}/result-jwt`, NO_KEY],
    ['GET', `/session/${STRANGER}/getproof`, UNKNOWN],
    ['GET', '/publickey', NO_KEY],
    ['GET', '/publickey/', NOT_FOUND],
    ['GET', '//', NOT_FOUND],
    ['GET', '/nothing', NOT_FOUND],
    ['GET', '/%', NOT_FOUND],
    ['GET', '/session/%E0%A4%A/status', UNKNOWN],
  ]
}

/** In the profile `irma`, errors below the prefix have no description, and HEAD is not allowed. */
async function assertRow(server: ServerOfTest, [method, path, expected]: Row, profile: Profile) {
  const answer = await server.call(method, path)
  const title = `${method} ${path}`
  if (typeof expected === 'number') return assert.is(answer.status, expected, title)
  const allowed =
    profile.name === 'svc' || typeof expected === 'object' ? expected : expected.replace(', HEAD', '')
  const full = typeof allowed === 'string' ? notAllowed(allowed) : allowed
  const isBare = profile.name === 'irma' && path.startsWith(`${profile.prefix}/`)
  const { status, error } = full as { status: number; error: string }
  const isOfPath = status === 404 || status === 405
  assert.equal(answer.json, isBare && isOfPath ? { status, error } : full, title)
  assert.is(answer.status, status, title)
  assert.is(answer.headers['content-type'], 'application/json; charset=UTF-8', title)
  assert.is(answer.headers.allow, typeof allowed === 'string' ? allowed : undefined, title)
  assert.is(answer.headers['www-authenticate'], undefined, title)
}

for (const name of ['svc', 'irma'] satisfies ProfileName[])
  Routing(`an unknown path is a remote error; below a client token the session comes first (${name})`, () =>
    withServer({ settings: { profile: name } }, async server => {
      const session = await server.create()
      const { profile } = server.settings
      for (const row of [...clientRows(session, profile.prefix), ...requestorRows(session)])
        await assertRow(server, row, profile)
      assert.equal((await server.call('POST', '/health')).headers.allow, 'GET, HEAD')
    }),
  )

Routing('with its authorization a frontend gets the error for an unknown path or method', () =>
  withServer({}, async server => {
    const { frontend, authorization: headers } = await server.create()
    assert.equal((await server.call('GET', `${frontend}/nothing`, { headers })).json, NOT_FOUND)
    assert.equal((await server.call('GET', `${frontend}/status/`, { headers })).json, NOT_FOUND)
    assert.equal((await server.call('GET', `${frontend}/options`, { headers })).json, notAllowed('POST'))
    assert.equal((await server.call('PUT', `${frontend}/status`, { headers })).json, notAllowed('GET, HEAD'))
  }),
)

Routing('svc: HEAD is answered like GET at every path of a GET, without a body, and changes nothing', () =>
  withServer({}, async server => {
    const session = await server.create()
    const { app, requestor, frontend, authorization: headers } = session
    const paths = [`${app}/status`, '/health', '/health/ready', '/openapi', '/openapi.json']
    for (const path of [...paths, `${requestor}/status`, `${requestor}/result`, `${frontend}/status`]) {
      const [got, head] = [
        await server.call('GET', path, { headers }),
        await server.call('HEAD', path, { headers }),
      ]
      assert.equal([head.status, head.text], [got.status, ''], path)
      for (const name of ['content-type', 'content-length', 'cache-control'])
        assert.is(head.headers[name], got.headers[name], `${path} ${name}`)
    }
    for (const path of [app, `${app}/`, `${app}/request`, `${requestor}/statusevents`, `${app}/statusevents`])
      assert.equal(
        await server.call('HEAD', path, { headers }).then(({ status, text }) => [status, text]),
        [200, ''],
        path,
      )
    assert.is((await server.rowOf(session)).version, 1)
    assert.is((await server.call('HEAD', `${app}/statusevents`)).headers['content-type'], 'text/event-stream')
    assert.is((await server.call('HEAD', '/publickey')).status, 501)
    assert.is((await server.call('HEAD', `${frontend}/status`)).status, 403)
    assert.is((await server.call('HEAD', `/svc/session/${STRANGER}`)).status, 400)
    assert.is((await server.call('HEAD', '/session')).status, 405)
    assert.is((await server.call('HEAD', '/nothing')).status, 404)
  }),
)

Routing('irma: HEAD is answered only at /health, /health/ready, /publickey and pages', () =>
  withServer({ settings: { profile: 'irma' } }, async server => {
    const { app, requestor, frontend, authorization: headers } = await server.create()
    for (const path of ['/health', '/health/ready', '/openapi', '/openapi.json'])
      assert.is((await server.call('HEAD', path)).status, 200, path)
    assert.is((await server.call('HEAD', '/publickey')).status, 501)
    const paths = [app, `${app}/`, `${app}/status`, `${app}/statusevents`, `${app}/request`, '/session']
    for (const path of [...paths, `${requestor}/status`, `${requestor}/result`, `${frontend}/status`]) {
      const answer = await server.call('HEAD', path, { headers })
      assert.is(answer.status, 405, path)
      assert.is(answer.headers['content-type'], 'application/json; charset=UTF-8')
      assert.is(answer.text, '')
    }
    assert.is((await server.call('HEAD', `/irma/session/${STRANGER}/status`)).status, 400)
  }),
)

Routing('no answer may be cached, unless its endpoint allows it', () =>
  withServer({}, async server => {
    const { app, requestor, frontend, authorization: headers } = await server.create()
    const calls = [
      ['GET', `${requestor}/result`],
      ['GET', `${frontend}/status`],
      ['POST', `${frontend}/options`],
    ] as const
    const answers = await Promise.all(
      calls.map(([method, path]) => server.call(method, path, { headers, body: {} })),
    )
    const first = await server.call('GET', app, { headers: appHeaders() })
    for (const { headers: got } of [
      ...answers,
      first,
      await server.post(disclosure()),
      await server.call('GET', '/x'),
    ])
      assert.is(got['cache-control'], 'no-store')
    assert.is((await server.call('GET', '/openapi.json')).headers['cache-control'], 'no-cache')
  }),
)

Routing('a session is reached with and without one slash after its token', () =>
  withServer({}, async server => {
    for (const path of ['/session', '/session/']) assert.is((await server.post({}, {})).status, 400, path)
    const { app, requestor } = await server.create()
    for (const path of [requestor, `${requestor}/`, app, `${app}/`])
      assert.is((await server.call('DELETE', path)).status, 200, path)
  }),
)

Routing('paths of the other profile do not exist', () =>
  withServer({ settings: { profile: 'irma' } }, async server => {
    const { clientToken } = await server.create()
    assert.equal((await server.call('GET', `/svc/session/${clientToken}/status`)).json, NOT_FOUND)
    assert.equal((await server.call('GET', '/irma/nothing')).json, BARE_NOT_FOUND)
  }),
)

Routing('health answers OK', () =>
  withServer({}, async server => {
    const answer = await server.call('GET', '/health')
    assert.is(answer.status, 200)
    assert.is(answer.text, 'OK')
    assert.is(answer.headers['content-type'], 'text/plain')
  }),
)

Routing.run()
