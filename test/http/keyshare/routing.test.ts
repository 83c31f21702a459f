/** The paths of the keyshare server, and the calls that no endpoint answers (spec/keyshare-server#2.1, #2.3, #2.4, spec/decisions#k1, #d1). @module */
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { clientOf } from '../client.ts'
import { disclosure, sessionIn } from '../harness.ts'
import { headersOf, registered, said } from './app.ts'
import { withKeyshare } from './harness.ts'

const Routing = suite('keyshare server: paths')

Routing('GET /health answers OK, as text without a charset', async () => {
  await withKeyshare({}, async ({ call }) => {
    const { status, headers, text } = await call('GET', '/health')
    assert.equal([status, headers['content-type'], text], [200, 'text/plain', 'OK'])
  })
})

Routing('paths below the prefix of the profile belong to the embedded session server', async () => {
  for (const profile of ['svc', 'irma'] as const)
    await withKeyshare({ profile }, async ({ call }) => {
      const { status, json } = await call('GET', `/${profile}/session/aaaaaaaaaaaaaaaaaaaa/status`)
      assert.equal([status, Object(json).error], [400, 'SESSION_UNKNOWN'])
      for (const path of [
        '/session',
        '/publickey',
        `/${profile === 'svc' ? 'irma' : 'svc'}/session/aaaaaaaaaaaaaaaaaaaa`,
      ])
        assert.is((await call('GET', path)).status, 404, 'there are no endpoints for requestors')
    })
})

/** The endpoints below a prefix: method and path. */
const FIRST = [
  ['POST', '/client/register'],
  ...['/user', '/users'].flatMap(users => [
    ['POST', `${users}/verify_start`],
    ['POST', `${users}/verify/pin`],
    ['POST', `${users}/verify/pin_challengeresponse`],
    ['POST', `${users}/change/pin`],
    ['POST', `${users}/register_publickey`],
    ['GET', `${users}/renewKeyshareAttribute`],
  ]),
  ['POST', '/prove/getCommitments'],
  ['POST', '/prove/getResponse'],
] as const
const SECOND = ['getPs', 'getCommitments', 'getResponse', 'getResponseLinkable'].map(
  name => `/api/v2/prove/${name}`,
)

const NOT_FOUND = '{"status":404,"error":"INVALID_REQUEST","description":"Not found"}'

Routing(
  'each endpoint is without a prefix and below /api/v1, only with its method, and without a slash at the end',
  async () => {
    await withKeyshare({}, async ({ call }) => {
      for (const prefix of ['', '/api/v1'])
        for (const [method = '', path] of FIRST) {
          const { status } = await call(method, prefix + path, { body: '{' })
          assert.ok(status === 400 || status === 403, `${method} ${path}: ${status}`)
          for (const other of [method === 'GET' ? 'POST' : 'GET', 'PUT', 'DELETE']) {
            const { status, headers, json } = await call(other, prefix + path)
            assert.equal([status, headers.allow], [405, method === 'GET' ? 'GET, HEAD' : method])
            assert.is(Object(json).description, 'Method not allowed')
          }
          assert.is((await call('HEAD', prefix + path)).status, method === 'GET' ? 403 : 405)
          for (const wrong of [`${path}/`, `${path}x`, `${path}/x`, String(path).toUpperCase()]) {
            const { status, text, headers } = await call(method, prefix + wrong)
            assert.equal([status, text], [404, NOT_FOUND], wrong)
            assert.is(headers['content-type'], 'application/json; charset=UTF-8')
          }
        }
    })
  },
)

Routing('unknown paths and methods', async () => {
  await withKeyshare({}, async ({ call }) => {
    for (const path of [
      '//',
      '/nothing',
      '/prove/getPs',
      '/prove/getResponseLinkable',
      '/api/v1/health',
      '/api/v1/prove/getPs',
      '/users/isAuthorized',
      '/api/v3/prove/getPs',
      '/client',
      '/clients/register',
      '/users/register',
    ])
      for (const method of ['GET', 'POST']) assert.is((await call(method, path)).text, NOT_FOUND, path)
  })
})

Routing('below /api/v2 the user is checked before the answer shows an unknown endpoint', async () => {
  await withKeyshare({}, async server => {
    const headers = await headersOf(server, await registered(server))
    for (const path of [
      '/api/v2',
      '/api/v2/client/register',
      '/api/v2/users/verify_start',
      '/api/v2/prove/x',
      ...SECOND.map(each => `${each}/`),
    ]) {
      assert.is(
        said(await server.call('POST', path)),
        '403 USER_NOT_REGISTERED could not find specified user',
      )
      assert.is((await server.call('POST', path, { headers })).text, NOT_FOUND, path)
    }
    for (const path of SECOND) {
      assert.is((await server.call('GET', path)).status, 403)
      assert.is((await server.call('GET', path, { headers })).headers.allow, 'POST', path)
      assert.is((await server.call('POST', path, { headers, body: '{' })).status, 400)
    }
  })
})

Routing('bodies of any content type are read', async () => {
  await withKeyshare({}, async ({ call }) => {
    for (const type of [
      'text/plain',
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await call('POST', '/users/verify/pin', {
        headers: { 'Content-Type': type },
        body: { id: 'nobody', pin: '' },
      })
      assert.match(said(answer), /^403 USER_NOT_REGISTERED/, type)
    }
  })
})

Routing('a body above the limit is 413, before all of it has arrived', async () => {
  await withKeyshare({}, async server => {
    const headers = {
      ...(await headersOf(server, await registered(server))),
      'Content-Length': String(10 * 2 ** 20 + 1),
    }
    for (const path of [
      '/client/register',
      '/users/verify_start',
      '/prove/getCommitments',
      '/api/v2/prove/getResponse',
    ]) {
      const { request, answer } = clientOf(server.port).begin('POST', path, headers)
      request.write('{')
      assert.match(said(await answer), /^413 INVALID_REQUEST body: expected at most 10485760 bytes/)
      request.destroy()
    }
  })
})

Routing('a server that stops ends the event streams of its embedded sessions', async () => {
  await withKeyshare({}, async server => {
    const requestors = clientOf((await server.embedded.server.listen(0, '127.0.0.1')).port)
    const headers = { 'Content-Type': 'application/json' }
    const { app } = sessionIn(
      await requestors.call('POST', '/session', { headers, body: { request: disclosure() } }),
    )
    const stream = await server.open(`${app}/statusevents`)
    assert.is(await stream.next(), 'event: open')
    const closed = server.server.close()
    assert.is(await stream.next(), null)
    await closed
  })
})

Routing.run()
