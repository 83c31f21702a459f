/** The trace of a request: in its log line, and in the server's posts to the requestor for it. No other party gets it. @module */
import type { Context } from 'koa'
import * as assert from 'uvu/assert'
import { traceOf } from '../../http/request-facts.ts'
import { type LoggedLine, linesOf } from '../logged-lines.ts'
import { until } from '../paths/until.ts'
import { suite } from '../suite.ts'
import { appHeaders, disclosure, OF_ONE_SHOP, OF_SHOP, type Parts, sessionIn, withServer } from './harness.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACE_OF_APP = '0af7651916cd43dd8448eb211c80319c'
const PARENT = '00f067aa0ba902b7'
const traced = (trace: string) => ({ traceparent: `00-${trace}-${PARENT}-01` })
const CALLBACK = { callbackUrl: 'http://shop.example/callback' }

/** @returns a `fetch` that records the headers of its calls */
function receiving(status = 204) {
  const calls: Headers[] = []
  const fetch: Parts['fetch'] = async (_url, init) => {
    calls.push(new Headers(init?.headers))
    return new Response(null, { status })
  }
  return { calls, fetch }
}

const Traces = suite('traces: traceparent over HTTP')

Traces(
  'the line of a request contains the trace of its caller, a new span, the session and the requestor',
  () =>
    withServer({ settings: OF_ONE_SHOP }, async server => {
      const session = sessionIn(await server.post(disclosure(), { ...OF_SHOP, ...traced(TRACE) }))
      await server.call('GET', `${session.requestor}/status`)
      await server.call('GET', '/session/unknown/status', {
        headers: { traceparent: `00-${TRACE}-${PARENT}-0G` },
      })
      const { id } = await server.rowOf(session)
      const [created, status, unknown] = linesOf(server, 'request')
      assert.equal([created?.trace, created?.session, created?.requestor], [TRACE, id, 'shop'])
      assert.match(String(created?.span), /^(?!00f067aa0ba902b7)[0-9a-f]{16}$/)
      assert.equal([status?.session, status?.requestor, status?.bytes], [id, 'shop', '"INITIALIZED"'.length])
      for (const line of [status, unknown]) assert.match(String(line?.trace), /^(?!4bf92f35)[0-9a-f]{32}$/)
      assert.equal(['session' in (unknown ?? {}), 'requestor' in (unknown ?? {})], [false, false])
      for (const line of server.log) assert.not.match(line, PARENT)
    }),
)

Traces('the line contains the name of a known requestor, also if its request is refused', () =>
  withServer({ settings: OF_ONE_SHOP }, async server => {
    await server.post({ '@context': 'nothing' }, OF_SHOP)
    await server.post(disclosure(), { Authorization: 'token of nobody else' })
    assert.equal(
      linesOf(server, 'request').map(({ requestor, status }) => [requestor, status]),
      [
        ['shop', 400],
        [undefined, 403],
      ],
    )
  }),
)

Traces(
  'a callback continues the trace of the request that began the session, not that of the wallet app',
  () => {
    const { calls, fetch } = receiving()
    return withServer({ fetch }, async server => {
      const body = { request: disclosure(), ...CALLBACK }
      const session = sessionIn(await server.post(body, traced(TRACE)))
      const headers = { ...appHeaders('2.4', '2.8', 'app'), ...traced(TRACE_OF_APP) }
      await server.call('GET', session.app, { headers })
      await server.call('POST', `${session.app}/proofs`, { headers, body: {} })
      await until(() => linesOf(server, 'callback delivered').length === 1)
      const [created, connected, submitted] = linesOf(server, 'request')
      const [delivered] = linesOf(server, 'callback delivered')
      assert.equal([connected?.trace, submitted?.trace], [TRACE_OF_APP, TRACE_OF_APP])
      assert.equal([connected?.session, submitted?.session], [created?.session, created?.session])
      assert.is(delivered?.trace, TRACE)
      assert.is.not(delivered?.span, created?.span)
      assert.equal(
        calls.map(call => call.get('traceparent')),
        [`00-${TRACE}-${delivered?.span}-01`],
      )
      assert.equal(
        calls.map(call => call.get('tracestate')),
        [null],
      )
    })
  },
)

Traces('each attempt has a new span; a session without a trace of its requestor begins a trace', () => {
  const { calls, fetch } = receiving(503)
  return withServer({ fetch }, async server => {
    const session = sessionIn(await server.post({ request: disclosure(), ...CALLBACK }))
    await server.call('DELETE', session.requestor)
    await until(() => {
      server.clock.advance(1_000)
      return calls.length >= 2
    })
    const [created] = linesOf(server, 'request')
    const parents = calls.map(call => call.get('traceparent') ?? '')
    for (const parent of parents) assert.match(parent, new RegExp(`^00-${created?.trace}-[0-9a-f]{16}-02$`))
    assert.is(new Set(parents).size, parents.length)
  })
})

Traces('the log line of a bug contains the trace of its request', () =>
  withServer(
    {
      wrapSessions: sessions =>
        Object.assign(Object.create(sessions), {
          findByRequestorToken: () => Promise.reject(new TypeError('a bug')),
        }),
    },
    async server => {
      await server.call('GET', `/session/${'a'.repeat(20)}/status`, { headers: traced(TRACE) })
      const [failure] = linesOf(server, 'unexpected failure')
      const [request] = linesOf(server, 'request')
      assert.equal([failure?.trace, failure?.span], [TRACE, request?.span])
    },
  ),
)

Traces('unknown members are logged with the trace of their request', () =>
  withServer({}, async server => {
    await server.post({ ...disclosure(), nobodyReadsThis: 1 }, traced(TRACE))
    const [line] = server.log.map(each => JSON.parse(each) as LoggedLine).filter(({ members }) => members)
    assert.equal([line?.members, line?.trace], [['nobodyReadsThis'], TRACE])
  }),
)

Traces('no X-Request-Id is read or answered', () =>
  withServer({}, async server => {
    const { headers } = await server.post(disclosure(), { 'X-Request-Id': 'chosen-by-somebody' })
    assert.is(headers['x-request-id'], undefined)
    for (const line of server.log) assert.not.match(line, 'chosen-by-somebody')
  }),
)

Traces('reading the trace of a request that is not logged throws an error with the reason', () => {
  const ctx = { state: {} } as Context // no other field is read
  assert.throws(
    () => traceOf(ctx),
    (error: unknown) => error instanceof TypeError && /expected a request that is logged/.test(error.message),
  )
})

Traces.run()
