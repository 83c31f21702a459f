/** The connections that a stopping server closes, and the times when it closes them. */
import { EventEmitter, once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import * as assert from 'uvu/assert'
import { Connections } from '../../http/connections.ts'
import { suite } from '../suite.ts'

const Stopped = suite('connections of a server that stops')

Stopped(
  'a connection whose call was answered has no pending call, and is closed although the next head has begun',
  async () => {
    const server = createServer()
    const connections = new Connections(server, false)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client = connect(port, '127.0.0.1')
    client.on('error', () => {}) // if bytes are unread, the end of the connection is a reset
    const closed = new Promise(resolve => client.once('close', resolve))
    const [socket] = await once(server, 'connection')
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    const [, answer] = await once(server, 'request')
    assert.is(connections.answers.has(socket), true)
    answer.end('x')
    await once(answer, 'close')
    assert.is(connections.answers.has(socket), false)
    client.resume().write('GET / HTTP/1.1\r\nHo')
    const refused: Socket[] = []
    connections.closeBeforeRequest(late => refused.push(late.destroy()))
    assert.equal([refused.length, refused[0] === socket], [1, true])
    await closed
    await new Promise(resolve => server.close(resolve))
  },
)

/** A socket that has received this number of bytes. */
function socketWith(Kind: typeof Socket | typeof TLSSocket, bytesRead: number) {
  const closed: string[] = []
  const events = new EventEmitter()
  const facts = { bytesRead }
  const socket: object = Object.defineProperties(Object.create(Kind.prototype), {
    bytesRead: { get: () => facts.bytesRead },
    localAddress: { value: '127.0.0.1' },
    remoteAddress: { value: '127.0.0.1' },
    remotePort: { value: 1 },
    once: { value: events.once.bind(events) },
    destroy: { value: () => closed.push('closed') },
  })
  return { socket, closed, facts, end: () => events.emit('close') }
}

/** A listener that has no connections in Node's own list. */
function watchedServer(hasTls: boolean) {
  const server = Object.assign(new EventEmitter(), { closeIdleConnections() {} })
  return { server, connections: new Connections(server as object as Server, hasTls) }
}

Stopped('bytes of a TLS handshake do not count as sent, and bytes of a call do', () => {
  for (const [Kind, bytesRead, hasTls, expected] of [
    [Socket, 0, false, true],
    [Socket, 9, false, false],
    [Socket, 9, true, true],
    [TLSSocket, 0, true, true],
    [TLSSocket, 9, true, false],
  ] as const) {
    const { server, connections } = watchedServer(hasTls)
    const { socket, closed } = socketWith(Kind, bytesRead)
    server.emit('connection', socket)
    connections.watchSilent()
    assert.is(connections.closeIdle(), false)
    assert.is(closed.length === 1, expected, `${Kind.name} ${bytesRead} ${hasTls}`)
  }
})

Stopped('an ended connection is removed from the list, and one with the same addresses stays', () => {
  const { server, connections } = watchedServer(false)
  const [earlier, later] = [socketWith(Socket, 0), socketWith(Socket, 0)]
  server.emit('connection', earlier.socket)
  server.emit('connection', later.socket)
  earlier.end()
  connections.watchSilent()
  connections.closeIdle()
  assert.equal([earlier.closed.length, later.closed.length], [0, 1])
  later.end()
  connections.watchSilent()
  connections.closeIdle()
  assert.is(later.closed.length, 1)
})

Stopped('a TLS handshake that makes progress gets another check, and a stalled one is closed', () => {
  const { server, connections } = watchedServer(true)
  const [handshake, ready] = [socketWith(Socket, 9), socketWith(TLSSocket, 0)]
  server.emit('connection', handshake.socket)
  connections.watchSilent()
  handshake.facts.bytesRead = 99
  assert.is(connections.closeIdle(), true)
  server.emit('secureConnection', ready.socket)
  assert.is(connections.closeIdle(), true)
  assert.is(connections.closeIdle(), false)
  assert.equal([handshake.closed.length, ready.closed.length], [0, 1])
})

Stopped.run()
