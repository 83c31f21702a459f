/** The time that a stopping listener gives idle connections (`stop_idle`). A call that arrives within this time is answered. @module */
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { type ServerOfTest, withServer } from './harness.ts'
import { type RawConnection, sent, watched } from './raw-connection.ts'
import { arrived, becomesTrue, stop, tls, turns } from './stopping.ts'

const Idle = suite('idle connections of a listener that stops')
const IDLE_MS = 200
/** The default of the server. Other tests use another value. */
const IDLE = { limits: { stopIdleMs: IDLE_MS } }
const HEALTH = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'

/** Lets the time of idle connections elapse: two checks of the listener find them unchanged. */
async function idleIsOver({ clock }: ServerOfTest): Promise<void> {
  for (const _look of ['first', 'second']) {
    await turns()
    clock.advance(IDLE_MS)
  }
}

Idle('a connection that has never sent a byte is closed after stop_idle, 200 ms', () =>
  withServer({ settings: IDLE }, async server => {
    const silent = await sent(server.port)
    await arrived(server)
    const isOver = stop(server)
    await turns()
    server.clock.advance(IDLE_MS - 1)
    await turns()
    assert.equal([silent.isClosed(), isOver()], [false, false])
    server.clock.advance(1)
    assert.ok(await becomesTrue(isOver))
    assert.ok(await becomesTrue(silent.isClosed))
  }),
)

Idle('stop_idle of 0s closes it at once', () =>
  withServer({ settings: { limits: { stopIdleMs: 0 } } }, async server => {
    const silent = await sent(server.port)
    await arrived(server)
    assert.ok(await becomesTrue(stop(server)))
    assert.ok(await becomesTrue(silent.isClosed))
  }),
)

Idle('a call that arrives within stop_idle, on a new or an idle connection, is answered, and ends it', () =>
  withServer({ settings: IDLE }, async server => {
    const [fresh, kept] = [await sent(server.port), await sent(server.port, HEALTH)]
    assert.ok(await becomesTrue(() => kept.got().endsWith('OK')))
    const isOver = stop(server)
    await turns()
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

Idle('the server waits for a call that has begun within stop_idle, also if it follows another call', () =>
  withServer({ settings: IDLE }, async server => {
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

Idle('connections that wait to be accepted at the stop are accepted, and their calls are answered', () =>
  withServer({ settings: IDLE }, async server => {
    const waiting = Array.from({ length: 50 }, () => watched(connectSocket(server.port, '127.0.0.1')))
    for (const { socket } of waiting) socket.write(HEALTH)
    await new Promise(resolve => process.nextTick(resolve)) // the system connects them without the event loop
    const isOver = stop(server)
    for (const { isClosed } of waiting) assert.ok(await becomesTrue(isClosed))
    assert.is(waiting.filter(({ got }) => got().endsWith('OK')).length, 50)
    assert.ok(await becomesTrue(isOver))
  }),
)

Idle('no new connection is accepted within stop_idle', () =>
  withServer({ settings: IDLE }, async server => {
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
    await once(socket, 'session') // this event comes after the server has finished its handshake too
    return watched(socket)
  },
}

for (const [when, open] of Object.entries(TLS_CONNECTIONS))
  Idle(`a TLS connection that has sent no request is closed after stop_idle, ${when}`, () =>
    withServer({ settings: { tls, ...IDLE } }, async server => {
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

Idle('a connection to a TLS listener that has never sent a byte is closed after one stop_idle', () =>
  withServer({ settings: { tls, ...IDLE } }, async server => {
    const silent = await sent(server.port)
    await turns()
    const isOver = stop(server)
    await turns()
    assert.not(silent.isClosed())
    server.clock.advance(IDLE_MS)
    const looksAgain = () => server.clock.nextTimerAt() === server.clock.now() + IDLE_MS
    assert.ok(await becomesTrue(() => isOver() || looksAgain()))
    assert.ok(isOver(), 'no second check is needed')
    assert.ok(await becomesTrue(silent.isClosed))
  }),
)

Idle.run()
