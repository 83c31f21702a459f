/** Clients that begin a request, never end it, and keep their half of the connection open: the server closes all of their connections. With more clients:
 *  `CLIENTS=300 node dist/test/faults/half-open/half-open.test.js` after a build. @module */
import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { freePort, startSvc } from '../../cli/run-svc.ts'
import { clientOf } from '../../http/client.ts'
import { numberGiven } from '../../number-given.ts'
import { pause, until } from '../../patience.ts'
import { DEMO_SCHEMES, isMissing } from '../../project.ts'
import { suite, tellAtEnd } from '../../suite.ts'

const CLIENTS = numberGiven('CLIENTS', 30)
/** The longest time that a server waits for the end of a connection that it cuts. */
const ENDING_MS = 2_000
const LOOK_MS = 50

/** The files of a process that are sockets, on Linux. */
function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`
  const links = readdirSync(folder).map(name => {
    try {
      return readlinkSync(join(folder, name))
    } catch {
      return '' // it was closed meanwhile
    }
  })
  return links.filter(link => link.startsWith('socket:')).length
}

async function halfOpen(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n')
  return socket
}

const HalfOpen = suite('clients that keep their half of a connection open')
const test = isMissing('/proc', existsSync('/proc/self/fd')) ? HalfOpen.skip : HalfOpen

test('each connection that is cut because it is late is closed within 2 s, on every listener', async () => {
  const [port, metrics, inspector] = [await freePort(), await freePort(), await freePort()]
  const words = ['--port', port, '--metrics-port', metrics, '--inspect', '--inspect-port', inspector]
  const where = ['--schemes-path', DEMO_SCHEMES, '--listen-addr', '127.0.0.1', '--store', 'memory']
  const running = startSvc(['server', ...where, '--workers', '1', ...words.map(String)])
  await running.says('svc server running')
  const { pid = 0 } = running.process
  const { call } = clientOf(metrics)
  const before = socketsOf(pid)
  const sockets = await Promise.all(
    Array.from({ length: CLIENTS }, (_, i) => halfOpen([port, metrics, inspector][i % 3] ?? port)),
  )
  await pause(LOOK_MS * 10)
  const held = socketsOf(pid) - before
  assert.is((await call('GET', '/metrics')).status, 200)
  const keeping = sockets.filter(socket => !socket.closed)
  await Promise.all(keeping.map(socket => socket.readableEnded || once(socket, 'end')))
  await pause(ENDING_MS + 500)
  const left = socketsOf(pid) - before
  await until(() => socketsOf(pid) <= before, 'the end of each connection that was cut')
  for (const socket of sockets) socket.destroy()
  running.process.kill('SIGTERM')
  await running.finished
  tellAtEnd(
    `half-open clients: ${CLIENTS} on 3 listeners, ${held} held while they sent, ${left} held 2.5 s after they were cut`,
  )
})

HalfOpen.run()
