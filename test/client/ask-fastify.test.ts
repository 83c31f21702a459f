/** `askFor` for fastify, at a real server of fastify: the requests that reach its two routes. */
import cookie from '@fastify/cookie'
import session from '@fastify/session'
import fastify from 'fastify'
import * as assert from 'uvu/assert'
import { askFor, type RequestOfFastify, type ServerOfFastify } from '../../libraries/client/ask/fastify.ts'
import { suite } from '../suite.ts'

const STARTED = { token: 'secret', sessionPtr: { u: 'x', irmaqr: 'disclosing' } }

const QUESTION = {
  url: 'http://server.example',
  path: '/over18',
  accept: () => true,
  request: { '@context': 'https://irma.app/ld/request/disclosure/v2', disclose: [[['a.b.c.d']]] },
  fetch: async () => Response.json(STARTED),
} as const

function site(prefix = '') {
  const app = fastify()
  app.register(cookie)
  app.register(session, { secret: 'x'.repeat(32), cookie: { secure: false } })
  app.register(askFor(QUESTION), { prefix })
  return app
}

const Ask = suite('askFor for fastify')

for (const [method, url, expected] of [
  ['POST', '/over18/start', 200],
  ['POST', '/over18/%73tart', 200],
  ['GET', '/over18/result/unknown', 404],
  ['GET', '/over18/re%73ult/unknown', 404],
  ['GET', '/over18/result/a%2Fb', 404],
  ['HEAD', '/over18/result/unknown', 404],
  ['HEAD', '/over18/start', 404],
] as const)
  Ask(`${method} ${url}: ${expected}`, async () => {
    const { statusCode, headers } = await site().inject({ method, url })
    assert.is(statusCode, expected)
    if (method !== 'HEAD') assert.is(headers['cache-control'], 'no-store')
  })

Ask('below the prefix of a plugin', async () => {
  const { statusCode, body } = await site('/v1').inject({ method: 'POST', url: '/v1/over18/start' })
  assert.is(statusCode, 200)
  assert.not.match(body, 'secret')
})

type Route = Parameters<ServerOfFastify<RequestOfFastify>['route']>[0]

Ask('a caller who left while the session was read does not block the next calls of the visitor', async () => {
  const routes: Route[] = []
  await askFor(QUESTION)({ route: options => routes.push(options) })
  const atOnce = (then: () => void): void => then()
  const request = {
    params: {},
    session: { sessionId: 'A', get: () => [], set() {}, reload: atOnce, save: atOnce },
    sessionStore: { get: (_: string, then: (error: null, found: object) => void) => then(null, {}) },
  }
  const left = { raw: { closed: true, once() {} }, headers: () => ({ status() {} }) }
  for (let call = 0; call < 2; call++) assert.ok('id' in ((await routes[0]?.handler(request, left)) ?? {}))
})

Ask.run()
