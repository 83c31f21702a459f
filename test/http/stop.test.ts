/** A listener that stops: its answers on the remaining connections (spec/decisions#d16). @module */
import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import * as assert from 'uvu/assert'
import type { Sessions } from '../../actors/sessions.ts'
import { deferred } from '../actors/node.ts'
import { suite } from '../suite.ts'
import { appHeaders, disclosure, withMethods, withServer } from './harness.ts'
import { sent, watched } from './raw-connection.ts'
import { arrived, becomesTrue, stop, tls, turns } from './stopping.ts'

const Stop = suite('a listener that stops')

Stop('a TLS connection on which a request has begun stays open for its answer', () =>
  withServer({ settings: { tls } }, async server => {
    const socket = connectTls({ port: server.port, host: '127.0.0.1', ca: tls.cert })
    await once(socket, 'secureConnect')
    const { got, isClosed } = watched(socket)
    socket.write('GET /health HTTP/1.1\r\n')
    await turns()
    const isOver = stop(server)
    socket.write('Host: x\r\n\r\n')
    assert.ok(await becomesTrue(isClosed))
    assert.match(got(), /^HTTP\/1\.1 200 /)
    assert.ok(await becomesTrue(isOver))
  }),
)

Stop('the head of a request that has begun has 10 s to arrive; a request that has arrived has longer', () => {
  const gate = deferred()
  const wrapSessions = (sessions: Sessions) =>
    withMethods(sessions, { call: (...call) => gate.promise.then(() => sessions.call(...call)) })
  return withServer({ wrapSessions }, async server => {
    const { app } = await server.create()
    const head = await sent(server.port, `GET ${app} HTTP/1.1\r\n`)
    const submission = server.call('POST', `${app}/proofs`, { headers: appHeaders(), body: {} }).then(
      ({ status }) => status,
      () => 'cut',
    )
    await arrived(server)
    const isOver = stop(server)
    server.clock.advance(9_999)
    await turns()
    assert.not(head.isClosed())
    server.clock.advance(1)
    assert.ok(await becomesTrue(head.isClosed))
    assert.match(head.got(), /^HTTP\/1\.1 503 [\s\S]*the request did not arrive in time/)
    assert.not(isOver())
    gate.resolve()
    assert.is(await submission, 400)
    assert.ok(await becomesTrue(isOver))
  })
})

Stop('a stream that was opened with an unknown Expect does not keep its connection longer than others', () =>
  withServer({}, async server => {
    const { app } = await server.create()
    const asked = `GET ${app}/statusevents HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\n\r\n`
    const stream = await sent(server.port, asked)
    assert.ok(await becomesTrue(() => stream.got().includes('event: open')))
    assert.ok(await becomesTrue(stop(server)))
  }),
)

/** The path of each kind of event stream. */
const STREAMS: Readonly<Record<string, (app: string) => string>> = {
  'status events': app => `${app}/statusevents`,
  'revocation updates': () => '/svc/revocation/svc-demo.fast.badge/updateevents',
}

for (const [kind, pathOf] of Object.entries(STREAMS))
  Stop(`a stream of ${kind} that is requested on a remaining connection gets 503 with Retry-After`, () => {
    const served = {
      updates: async () => new Map(),
      events: async () => [],
      follow: () => () => {},
      addRecord: null,
    }
    const revocation = { served: () => served }
    return withServer({ revocation }, async server => {
      const { app } = await server.create()
      const left = await sent(server.port, `GET ${pathOf(app)} HTTP/1.1\r\n`)
      await arrived(server)
      const isOver = stop(server)
      left.socket.write('Host: x\r\n\r\n')
      assert.ok(await becomesTrue(left.isClosed))
      assert.match(left.got(), /^HTTP\/1\.1 503 [\s\S]*\r\nRetry-After: 2\r\n[\s\S]*this server is stopping/)
      assert.ok(await becomesTrue(isOver))
    })
  })

Stop('a stream that is being opened during the stop gets 503, too', () => {
  const gate = deferred()
  const wrapSessions = (sessions: Sessions) =>
    withMethods(sessions, { read: id => gate.promise.then(() => sessions.read(id)) })
  return withServer({ wrapSessions }, async server => {
    const { app } = await server.create()
    const opening = server.open(`${app}/statusevents`)
    await arrived(server)
    const isOver = stop(server)
    gate.resolve()
    const { head } = await opening
    assert.equal([head.status, head.headers['retry-after']], [503, '2'])
    assert.ok(await becomesTrue(isOver))
    assert.not.match(server.log.join(''), 'unexpected failure')
  })
})

Stop('a request for a session on a remaining connection gets 503, and the connection ends', () =>
  withServer({}, async server => {
    const body = JSON.stringify({ request: disclosure() })
    const left = await sent(server.port, 'POST /session HTTP/1.1\r\nHost: x\r\n')
    await arrived(server)
    const isOver = stop(server)
    const type = 'Content-Type: application/json\r\n'
    left.socket.write(`${type}Content-Length: ${body.length}\r\n\r\n${body}`)
    assert.ok(await becomesTrue(left.isClosed))
    assert.match(left.got(), /^HTTP\/1\.1 503 [\s\S]*\r\nConnection: close\r\n[\s\S]*this server is stopping/)
    assert.ok(await becomesTrue(isOver))
  }),
)

Stop('a submission that arrives on a remaining connection is still handled', () =>
  withServer({}, async server => {
    const { app } = await server.create()
    await server.call('GET', app, { headers: appHeaders() })
    const headers = Object.entries(appHeaders()).map(([name, value]) => `${name}: ${value}\r\n`)
    const body = '{"proofs":[],"indices":[]}'
    const left = await sent(server.port, `POST ${app}/proofs HTTP/1.1\r\nHost: x\r\n`)
    await arrived(server)
    const isOver = stop(server)
    left.socket.write(`${headers.join('')}Content-Length: ${body.length}\r\n\r\n${body}`)
    assert.ok(await becomesTrue(left.isClosed))
    assert.match(left.got(), /^HTTP\/1\.1 200 [\s\S]*"proofStatus":"VALID"/)
    assert.ok(await becomesTrue(isOver))
  }),
)

Stop.run()
