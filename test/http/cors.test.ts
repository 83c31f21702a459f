/** Cross-origin rules (spec/session-server#2.3). @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { disclosure, withServer } from './harness.ts'

const Cors = suite('cross-origin rules')
const ORIGIN = 'https://shop.example'
const SESSION = `/svc/session/${'a'.repeat(20)}`
const PREFLIGHT_VARY = ['Origin', 'Access-Control-Request-Method', 'Access-Control-Request-Headers']

type Allowed = { readonly methods: string; readonly headers?: string } | null

/** title, path, headers of the preflight, what is allowed */
const PREFLIGHTS: readonly (readonly [string, string, Record<string, string>, Allowed])[] = [
  ['GET', SESSION, asking('GET'), { methods: 'GET' }],
  ['POST', SESSION, asking('POST', 'content-type'), { methods: 'POST', headers: 'Content-Type' }],
  ['DELETE', SESSION, asking('DELETE'), { methods: 'DELETE' }],
  [
    'every allowed header, in the order asked and in canonical case',
    '/session',
    asking('POST', 'cache-control, accept,AUTHORIZATION,content-type,origin'),
    { methods: 'POST', headers: 'Cache-Control, Accept, Authorization, Content-Type, Origin' },
  ],
  ['an unknown path', '/nothing', asking('GET'), { methods: 'GET' }],
  ['a method in small letters', '/session', asking('post'), { methods: 'POST' }],
  ['another method', SESSION, asking('PUT'), null],
  ['a header that only apps send', SESSION, asking('GET', 'x-svc-minprotocolversion'), null],
  ['several headers, one of them not allowed', SESSION, asking('GET', 'authorization,x-other'), null],
  ['no origin', SESSION, { 'Access-Control-Request-Method': 'GET' }, null],
]

function asking(method: string, headers?: string): Record<string, string> {
  return {
    Origin: ORIGIN,
    'Access-Control-Request-Method': method,
    ...(headers !== undefined && { 'Access-Control-Request-Headers': headers }),
  }
}

for (const [title, path, headers, allowed] of PREFLIGHTS)
  Cors(`a preflight is always 200 and never reaches a route: ${title}`, () =>
    withServer({}, async server => {
      const answer = await server.call('OPTIONS', path, { headers })
      assert.is(answer.status, 200)
      assert.is(answer.text, '')
      assert.is(answer.headers['content-type'], undefined)
      const vary = answer.lines.filter(([name]) => name.toLowerCase() === 'vary').map(([, value]) => value)
      assert.equal(vary, PREFLIGHT_VARY)
      assert.is(answer.headers['access-control-allow-origin'], allowed ? '*' : undefined)
      assert.is(answer.headers['access-control-allow-methods'], allowed?.methods)
      assert.is(answer.headers['access-control-allow-headers'], allowed?.headers)
    }),
  )

Cors('every other answer has Vary: Origin, and allows any origin if the call has one', () =>
  withServer({}, async server => {
    const session = await server.create()
    const answers = [
      server.call('GET', `${session.app}/status`, { headers: { Origin: ORIGIN } }),
      server.call('GET', `/svc/session/${'b'.repeat(20)}/status`, { headers: { Origin: ORIGIN } }),
      server.call('GET', '/nothing', { headers: { Origin: ORIGIN } }),
      server.call('POST', '/session', { headers: { Origin: ORIGIN }, body: disclosure() }),
      server.call('OPTIONS', session.app, { headers: { Origin: ORIGIN } }),
      server.call('DELETE', session.app, { headers: { Origin: ORIGIN } }),
    ]
    for (const answer of await Promise.all(answers)) {
      assert.is(answer.headers.vary, 'Origin')
      assert.is(answer.headers['access-control-allow-origin'], '*')
      assert.is(answer.headers['access-control-allow-credentials'], undefined)
    }
  }),
)

Cors('a call without an origin, or with another method, gets no permission', () =>
  withServer({}, async server => {
    const { app } = await server.create()
    const answers = [
      server.call('GET', `${app}/status`),
      server.call('PUT', app, { headers: { Origin: ORIGIN } }),
    ]
    for (const { headers } of await Promise.all(answers)) {
      assert.is(headers.vary, 'Origin')
      assert.is(headers['access-control-allow-origin'], undefined)
    }
    const head = await server.call('HEAD', `${app}/status`, { headers: { Origin: ORIGIN } })
    assert.is(head.headers['access-control-allow-origin'], '*')
  }),
)

Cors('only OPTIONS can be a preflight: a GET with the same headers is answered as a GET', () =>
  withServer({}, async server => {
    assert.is((await server.call('GET', '/health', { headers: asking('GET') })).text, 'OK')
  }),
)

Cors('OPTIONS without Access-Control-Request-Method is no preflight, and is answered with 405', () =>
  withServer({}, async server => {
    const { app } = await server.create()
    const answer = await server.call('OPTIONS', app, { headers: { Origin: ORIGIN } })
    assert.is(answer.status, 405)
    assert.is(answer.headers.allow, 'DELETE, GET, HEAD, POST')
    assert.is(answer.headers['access-control-allow-origin'], '*')
  }),
)

Cors.run()
