/** Which path and method reach what (spec 4; spec/session-server.md 2.1, D1, D2), in both profiles. @module */
import * as assert from 'uvu/assert'
import type { ProfileName } from '../../protocol/profiles.ts'
import { suite } from '../suite.ts'
import { type ServerOfTest, type SessionOfTest, withServer } from './harness.ts'

const Routing = suite('routing')
const NOT_FOUND = { status: 404, error: 'INVALID_REQUEST' }
const NOT_ALLOWED = { status: 405, error: 'INVALID_REQUEST' }
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

type Row = readonly [method: string, path: string, expected: object | number]

function clientRows({ app, frontend }: SessionOfTest, prefix: string): Row[] {
  return [
    ['GET', `${app}/status`, 200],
    ['GET', `${app}/status/`, NOT_FOUND],
    ['GET', `${app}//`, NOT_FOUND],
    ['GET', `${app}/nothing`, NOT_FOUND],
    ['GET', `${app}/STATUS`, NOT_FOUND],
    ['POST', `${app}/proofs/`, NOT_FOUND],
    ['GET', `${app}/proofs`, NOT_ALLOWED],
    ['POST', `${app}/status`, NOT_ALLOWED],
    ['PUT', app, NOT_ALLOWED],
    ['PATCH', `${app}/`, NOT_ALLOWED],
    ['OPTIONS', app, NOT_ALLOWED],
    ['PROPFIND', `${app}/request`, NOT_ALLOWED],
    ['POST', `${app}/`, NOT_ALLOWED],
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
    ['POST', `${requestor}/status`, NOT_ALLOWED],
    ['GET', requestor, NOT_ALLOWED],
    ['GET', `${requestor}/nothing`, NOT_FOUND],
    ['GET', '/session', NOT_ALLOWED],
    ['PUT', '/session/', NOT_ALLOWED],
    ['POST', '/session//', NOT_FOUND],
    ['POST', '/SESSION', NOT_FOUND],
    ['GET', '/health/', NOT_FOUND],
    ['POST', '/health', NOT_ALLOWED],
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

async function assertRow(server: ServerOfTest, [method, path, expected]: Row): Promise<void> {
  const answer = await server.call(method, path)
  const title = `${method} ${path}`
  if (typeof expected === 'number') return assert.is(answer.status, expected, title)
  assert.equal(answer.json, expected, title)
  assert.is(answer.status, (expected as { status: number }).status, title)
  assert.is(answer.headers['content-type'], 'application/json; charset=UTF-8', title)
  assert.is(answer.headers.allow, undefined, title)
  assert.is(answer.headers['www-authenticate'], undefined, title)
}

for (const profile of ['svc', 'irma'] satisfies ProfileName[])
  Routing(
    `what is not there is a remote error, below a client token only after the session (${profile})`,
    () =>
      withServer({ settings: { profile } }, async server => {
        const session = await server.create()
        const rows = [...clientRows(session, server.settings.profile.prefix), ...requestorRows(session)]
        for (const row of rows) await assertRow(server, row)
      }),
  )

Routing('with its authorization a frontend learns what is there', () =>
  withServer({}, async server => {
    const { frontend, authorization: headers } = await server.create()
    assert.equal((await server.call('GET', `${frontend}/nothing`, { headers })).json, NOT_FOUND)
    assert.equal((await server.call('GET', `${frontend}/status/`, { headers })).json, NOT_FOUND)
    assert.equal((await server.call('GET', `${frontend}/options`, { headers })).json, NOT_ALLOWED)
    assert.equal((await server.call('PUT', `${frontend}/status`, { headers })).json, NOT_ALLOWED)
  }),
)

Routing('no endpoint answers HEAD', () =>
  withServer({}, async server => {
    const { app, requestor, frontend, authorization: headers } = await server.create()
    const paths = [
      app,
      `${app}/`,
      `${app}/status`,
      `${app}/statusevents`,
      `${app}/request`,
      '/health',
      '/session',
    ]
    for (const path of [...paths, `${requestor}/status`, `${requestor}/result`, `${frontend}/status`]) {
      const answer = await server.call('HEAD', path, { headers })
      assert.is(answer.status, 405, path)
      assert.is(answer.headers['content-type'], 'application/json; charset=UTF-8')
      assert.is(answer.text, '')
    }
    assert.is((await server.call('HEAD', `/svc/session/${STRANGER}/status`)).status, 400)
    assert.is((await server.call('HEAD', '/nothing')).status, 404)
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
