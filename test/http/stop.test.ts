/** A listener that stops: which connections it closes, and what it still answers on those that are left (decisions: D16). @module */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import * as assert from 'uvu/assert'
import type { Sessions } from '../../actors/sessions.ts'
import { deferred, settle } from '../actors/node.ts'
import { until } from '../patience.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { appHeaders, disclosure, type ServerOfTest, withMethods, withServer } from './harness.ts'
import { type RawConnection, sent, watched } from './raw-connection.ts'

const Stop = suite('a listener that stops')
const read = (name: string) => readFileSync(join(PROJECT, 'test/vectors/tls', name), 'utf8')
const tls = { cert: read('cert.pem'), key: read('key.pem') }

async function becomesTrue(is: () => boolean): Promise<boolean> {
  await until(is, 'it to become true')
  return true
}

const IDLE_MS = 200

/** @returns whether it is over, on a clock that stands */
function stop({ server }: ServerOfTest): () => boolean {
  let isOver = false
  void server.close().then(() => {
    isOver = true
  })
  return () => isOver
}

/** What is on its way by now has arrived, and the listener is closed. */
async function turns(): Promise<void> {
  for (let count = 0; count < 20; count++) await settle()
}

/** Idle connections have had their time: each look of the listener finds them as the last one did. */
async function idleIsOver({ clock }: ServerOfTest): Promise<void> {
  for (const _look of ['first', 'second']) {
    await turns()
    clock.advance(IDLE_MS)
  }
}

/** What was sent before has arrived then. */
async function arrived(server: ServerOfTest): Promise<void> {
  await server.call('GET', '/health')
}

const HEALTH = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'

Stop('a connection that has never sent a byte is closed after stop_idle, 200 ms', () =>
  withServer({}, async server => {
    const silent = await sent(server.port)
    await arrived(server)
    const isOver = stop(server)
    server.clock.advance(IDLE_MS - 1)
    await turns()
    assert.equal([silent.isClosed(), isOver()], [false, false])
    server.clock.advance(1)
    assert.ok(await becomesTrue(isOver))
    assert.ok(await becomesTrue(silent.isClosed))
  }),
)

Stop('stop_idle of 0s closes it at once', () =>
  withServer({ settings: { limits: { stopIdleMs: 0 } } }, async server => {
    const silent = await sent(server.port)
    await arrived(server)
    assert.ok(await becomesTrue(stop(server)))
    assert.ok(await becomesTrue(silent.isClosed))
  }),
)

Stop(
  'a call that arrives meanwhile is answered, and ends its connection: on a new one and on an idle one',
  () =>
    withServer({}, async server => {
      const [fresh, kept] = [await sent(server.port), await sent(server.port, HEALTH)]
      assert.ok(await becomesTrue(() => kept.got().endsWith('OK')))
      const isOver = stop(server)
      server.clock.advance(IDLE_MS - 1)
      await turns()
      for (const { socket } of [fresh, kept]) socket.write(HEALTH)
      for (const { isClosed } of [fresh, kept]) assert.ok(await becomesTrue(isClosed))
      const answers = [fresh, kept].map(({ got }) => got().slice(got().lastIndexOf('HTTP/1.1 ')))
      for (const answer of answers)
        assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n[\s\S]*OK$/)
      assert.ok(await becomesTrue(isOver))
    }),
)

Stop('a call that has begun within stop_idle is waited for beyond it, also behind another one', () =>
  withServer({}, async server => {
    const kept = await sent(server.port, HEALTH)
    assert.ok(await becomesTrue(() => kept.got().endsWith('OK')))
    const isOver = stop(server)
    await turns()
    kept.socket.write(HEALTH.slice(0, 20))
    await turns()
    server.clock.advance(IDLE_MS)
    await turns()
    assert.equal([kept.isClosed(), isOver()], [false, false])
    kept.socket.write(HEALTH.slice(20))
    assert.ok(await becomesTrue(kept.isClosed))
    assert.match(kept.got(), /OKHTTP\/1\.1 200 [\s\S]*OK$/)
    assert.ok(await becomesTrue(isOver))
  }),
)

Stop('connections that wait to be taken when it stops are taken, and their calls answered', () =>
  withServer({}, async server => {
    const waiting = Array.from({ length: 50 }, () => watched(connectSocket(server.port, '127.0.0.1')))
    for (const { socket } of waiting) socket.write(HEALTH)
    await new Promise(resolve => process.nextTick(resolve)) // the system makes them at once
    const isOver = stop(server)
    for (const { isClosed } of waiting) assert.ok(await becomesTrue(isClosed))
    assert.is(waiting.filter(({ got }) => got().endsWith('OK')).length, 50)
    assert.ok(await becomesTrue(isOver))
  }),
)

Stop('no connection is taken meanwhile', () =>
  withServer({}, async server => {
    const idle = await sent(server.port)
    await arrived(server)
    const isOver = stop(server)
    await turns()
    const refused = await server.call('GET', '/health').catch((error: NodeJS.ErrnoException) => error.code)
    assert.is(refused, 'ECONNREFUSED')
    assert.not(isOver())
    idle.socket.destroy()
    assert.ok(await becomesTrue(isOver))
  }),
)

const TLS_CONNECTIONS: Readonly<Record<string, (port: number) => Promise<RawConnection>>> = {
  'before its handshake': port => sent(port),
  'within its handshake': port => sent(port, '\x16\x03\x01'),
  async 'after its handshake'(port) {
    const socket = connectTls({ port, host: '127.0.0.1', ca: tls.cert })
    await once(socket, 'secureConnect')
    await once(socket, 'session') // which comes when the server is ready, too
    return watched(socket)
  },
}

for (const [when, open] of Object.entries(TLS_CONNECTIONS))
  Stop(`a TLS connection that has sent no request is closed after stop_idle, ${when}`, () =>
    withServer({ settings: { tls } }, async server => {
      const silent = await open(server.port)
      await turns()
      const isOver = stop(server)
      await turns()
      assert.not(silent.isClosed())
      await idleIsOver(server)
      assert.ok(await becomesTrue(isOver))
      assert.ok(await becomesTrue(silent.isClosed))
    }),
  )

Stop('a TLS connection on which a request has begun is left', () =>
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
    server.clock.advance(IDLE_MS + 9_999)
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

Stop('a stream that was opened with an odd Expect keeps its connection no longer than others', () =>
  withServer({}, async server => {
    const { app } = await server.create()
    const asked = `GET ${app}/statusevents HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\n\r\n`
    const stream = await sent(server.port, asked)
    assert.ok(await becomesTrue(() => stream.got().includes('event: open')))
    const isOver = stop(server)
    await idleIsOver(server)
    assert.ok(await becomesTrue(isOver))
  }),
)

/** The path of each kind of event stream. */
const STREAMS: Readonly<Record<string, (app: string) => string>> = {
  'status events': app => `${app}/statusevents`,
  'revocation updates': () => '/svc/revocation/svc-demo.fast.badge/updateevents',
}

for (const [kind, pathOf] of Object.entries(STREAMS))
  Stop(`a stream of ${kind}, asked for on a connection that is left, gets 503 with Retry-After`, () => {
    const served = {
      updates: async () => new Map(),
      events: async () => [],
      watch: () => () => {},
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

Stop('a stream that is being opened meanwhile gets 503, too', () => {
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

Stop('a session that is asked for on a connection that is left gets 503, and the connection ends', () =>
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

Stop('a submission that arrives on a connection that is left is still handled', () =>
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
