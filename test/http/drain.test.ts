/** The pause before a server stops (`stop_delay`), so that load balancers notice the stop; and calls that arrive while connections are closed. @module */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import * as assert from 'uvu/assert'
import { settle } from '../actors/node.ts'
import { until } from '../patience.ts'
import { suite } from '../suite.ts'
import { appHeaders, disclosure, type ServerOfTest, withServer } from './harness.ts'

const Drain = suite('a server that is about to stop')
const DELAY_MS = 5_000
const settings = { limits: { stopDelayMs: DELAY_MS } }

async function becomesTrue(is: () => boolean): Promise<boolean> {
  await until(is, 'it to become true')
  return true
}

/** @returns a function that returns true once the server has stopped */
function stop(server: ServerOfTest): () => boolean {
  let isOver = false
  void server.close().then(() => {
    isOver = true
  })
  return () => isOver
}

type Connection = { readonly socket: Socket; got(): string; isClosed(): boolean }

async function connected(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('error', () => {}).on('data', chunk => (text += chunk))
  await once(socket, 'connect')
  return { socket, got: () => text, isClosed: () => socket.closed }
}

const HEALTH = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'

/** A connection that is kept open after an answer. */
async function idle(port: number): Promise<Connection> {
  const connection = await connected(port)
  connection.socket.write(HEALTH)
  assert.ok(await becomesTrue(() => connection.got().endsWith('OK')))
  return connection
}

Drain('stop_delay: the server is not ready from the beginning of the stop on, with the reason', () =>
  withServer({ settings }, async server => {
    assert.is((await server.call('GET', '/health/ready')).status, 200)
    const isOver = stop(server)
    const { status, json } = await server.call('GET', '/health/ready')
    assert.equal([status, Object(json).reasons], [503, { node: 'it is stopping' }])
    assert.is((await server.call('GET', '/health')).status, 200)
    server.clock.advance(DELAY_MS)
    assert.ok(await becomesTrue(isOver))
  }),
)

Drain('stop_delay: the next answer on a connection closes it, so that no later call is lost on it', () =>
  withServer({ settings }, async server => {
    const { socket, got, isClosed } = await idle(server.port)
    const isOver = stop(server)
    await settle()
    assert.not(isClosed())
    socket.write(HEALTH)
    assert.ok(await becomesTrue(isClosed))
    assert.match(got().split('HTTP/1.1 ')[2] ?? '', /^200 [\s\S]*\r\nConnection: close\r\n/)
    assert.not(isOver())
    server.clock.advance(DELAY_MS)
    assert.ok(await becomesTrue(isOver))
  }),
)

Drain('stop_delay: sessions begin and connect as before', () =>
  withServer({ settings }, async server => {
    const isOver = stop(server)
    const { app } = await server.create()
    assert.is((await server.call('GET', app, { headers: appHeaders() })).status, 200)
    server.clock.advance(DELAY_MS - 1)
    assert.is((await server.post(disclosure())).status, 200)
    server.clock.advance(1)
    assert.ok(await becomesTrue(isOver))
    const refused = await server.post(disclosure()).catch((error: NodeJS.ErrnoException) => error.code)
    assert.is(refused, 'ECONNREFUSED')
  }),
)

Drain('stop_delay: until its end, streams continue and new ones are opened; then all end', () =>
  withServer({ settings }, async server => {
    const { app } = await server.create()
    const before = await server.open(`${app}/statusevents`)
    const isOver = stop(server)
    const meanwhile = await server.open(`${app}/statusevents`)
    assert.is(meanwhile.head.headers.connection, 'keep-alive')
    for (const stream of [before, meanwhile]) assert.is(await stream.next(), 'event: open')
    await server.call('GET', app, { headers: appHeaders() })
    for (const stream of [before, meanwhile]) assert.is(await stream.next(), 'data: "CONNECTED"')
    assert.not(isOver())
    server.clock.advance(DELAY_MS)
    // no status and no other line: a client without a final status reconnects by itself
    for (const stream of [before, meanwhile]) assert.is(await stream.next(), null)
    assert.ok(await becomesTrue(isOver))
  }),
)

Drain('without stop_delay the server stops at once, without an advance of the clock', () =>
  withServer({}, async server => {
    assert.ok(await becomesTrue(stop(server)))
  }),
)

Drain('the stop waits for no connection of a stream, for any number of streams', () =>
  withServer({}, async server => {
    const connections: Connection[] = []
    for (let sessions = 0; sessions < 15; sessions++) {
      const { app } = await server.create()
      for (let streams = 0; streams < 32; streams++) {
        const connection = await connected(server.port)
        connection.socket.write(`GET ${app}/statusevents HTTP/1.1\r\nHost: x\r\n\r\n`)
        connections.push(connection)
      }
    }
    for (const { got } of connections) assert.ok(await becomesTrue(() => got().includes('event: open')))
    assert.ok(await becomesTrue(stop(server)))
    for (const { isClosed } of connections) assert.ok(await becomesTrue(isClosed))
  }),
)

Drain('a call that arrives on an idle connection just before its end is answered', () =>
  withServer({}, async server => {
    const { socket, got, isClosed } = await idle(server.port)
    socket.write(HEALTH)
    const isOver = stop(server)
    assert.ok(await becomesTrue(isClosed))
    const [, , second = ''] = got().split('HTTP/1.1 ')
    assert.match(second, /^200 [\s\S]*\r\nConnection: close\r\n[\s\S]*OK$/)
    assert.ok(await becomesTrue(isOver))
  }),
)

Drain('a call that arrives as the first one of its connection is answered, too', () =>
  withServer({}, async server => {
    const { socket, got, isClosed } = await connected(server.port)
    await server.call('GET', '/health') // the server has accepted the connection by now
    socket.write(HEALTH)
    const isOver = stop(server)
    assert.ok(await becomesTrue(isClosed))
    assert.match(got(), /^HTTP\/1\.1 200 [\s\S]*OK$/)
    assert.ok(await becomesTrue(isOver))
  }),
)

Drain('a connection stays for 65 s without a call, which is longer than load balancers keep theirs', () =>
  withServer({}, async ({ port }) => {
    const { got, socket } = await idle(port)
    assert.match(got(), /\r\nKeep-Alive: timeout=65\r\n/)
    socket.destroy()
  }),
)

Drain('an idle connection on which nothing has arrived is closed', () =>
  withServer({}, async server => {
    const { isClosed } = await idle(server.port)
    assert.ok(await becomesTrue(stop(server)))
    assert.ok(await becomesTrue(isClosed))
  }),
)

Drain.run()
