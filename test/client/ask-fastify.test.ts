/** `askFor` for fastify, at a real server of fastify: the requests that reach its two routes. */
import cookie from '@fastify/cookie'
import session from '@fastify/session'
import fastify from 'fastify'
import * as assert from 'uvu/assert'
import { askFor } from '../../libraries/client/ask/fastify.ts'
import { suite } from '../suite.ts'

const STARTED = { token: 'secret', sessionPtr: { u: 'x', irmaqr: 'disclosing' } }

function site(prefix = '') {
  const app = fastify()
  app.register(cookie)
  app.register(session, { secret: 'x'.repeat(32), cookie: { secure: false } })
  const question = {
    ...{ url: 'http://server.example', path: '/over18', accept: () => true },
    request: { '@context': 'https://irma.app/ld/request/disclosure/v2', disclose: [[['a.b.c.d']]] },
    fetch: async () => Response.json(STARTED),
  } as const
  app.register(askFor(question), { prefix })
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

Ask.run()
