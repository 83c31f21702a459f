/** If a client keeps its half of a connection open, the server closes the connection 2 s after the end of its own half. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import * as assert from 'uvu/assert'
import { createMetricsServer } from '../../http/metrics/server.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { settle } from '../actors/node.ts'
import { until } from '../patience.ts'
import { suite } from '../suite.ts'
import { withServer } from './harness.ts'
import { TOKEN, withInspector } from './inspector/harness.ts'

const HalfOpen = suite('a client that keeps its half open')

type HalfOpenClient = { readonly socket: Socket; got(): string; isReset(): boolean }

/** A client that has sent these bytes. The server has ended its half of the connection. */
async function endedAfter(port: number, bytes: string): Promise<HalfOpenClient> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  let [text, isReset] = ['', false]
  socket.on('data', chunk => (text += chunk))
  socket.on('error', () => {
    isReset = true
  })
  await once(socket, 'connect')
  socket.write(bytes)
  await once(socket, 'end')
  return { socket, got: () => text, isReset: () => isReset }
}

/** A connection that is still open after this number of turns of the event loop counts as kept. */
const TURNS = 10

/** True if the server has closed the connection: it then resets it when more bytes arrive. */
async function isGone({ socket, isReset }: HalfOpenClient): Promise<boolean> {
  socket.write('x')
  await settle()
  return isReset()
}

async function isKept(client: HalfOpenClient): Promise<boolean> {
  for (let turn = 0; turn < TURNS; turn++) if (await isGone(client)) return false
  return true
}

async function untilGone(client: HalfOpenClient): Promise<void> {
  await until(() => isGone(client), 'the end of the connection', settle)
}

const BROKEN = 'GET / HTTP/1.1\r\nno header\r\n\r\n'

async function assertEnds(port: number, clock: { advance(ms: number): void }): Promise<void> {
  const client = await endedAfter(port, BROKEN)
  assert.match(client.got(), /^HTTP\/1\.1 400 [\s\S]*"description":"Invalid HTTP request"/)
  clock.advance(1_999)
  assert.ok(await isKept(client))
  clock.advance(1)
  await untilGone(client)
  client.socket.destroy()
}

HalfOpen('the listener of calls: a broken request', () =>
  withServer({}, ({ port, clock }) => assertEnds(port, clock)),
)

HalfOpen('the listener of clients: a broken request', () =>
  withServer({ isApart: true }, ({ clientPort, clock }) => assertEnds(clientPort, clock)),
)

HalfOpen('the inspector: a broken request', () =>
  withInspector(({ inspectorPort, clock }) => assertEnds(inspectorPort, clock)),
)

HalfOpen('metrics: a broken request', async () => {
  const clock = createSimulatedClock(0)
  const page = async () => ({ type: 'text/plain', text: '' })
  const server = createMetricsServer({ page, readiness: () => null, clock, log: { error: console.log } })
  const { port } = await server.listen(0, '127.0.0.1')
  await assertEnds(port, clock)
  await server.close()
})

HalfOpen('an answer that ends its connection, also before the body, without an advance of the clock', () =>
  withServer({}, async ({ port, clock }) => {
    const whole = await endedAfter(port, 'GET /health HTTP/1.0\r\n\r\n')
    await untilGone(whole)
    const late = endedAfter(
      port,
      'POST /session HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n{',
    )
    const over = late.then(() => true)
    while (!(await Promise.race([over, settle().then(() => false)]))) clock.advance(1_000)
    assert.match((await late).got(), /^HTTP\/1\.1 503 /)
    await untilGone(await late)
  }),
)

/** A viewer's frame that closes its WebSocket, masked with zeros. */
const CLOSING = Buffer.from([0x88, 0x80, 0, 0, 0, 0])
/** A frame with an unknown opcode. */
const BROKEN_FRAME = Buffer.from([0x8f, 0x80, 0, 0, 0, 0])

for (const [what, frame] of [
  ['closes its WebSocket', CLOSING],
  ['sends a broken frame', BROKEN_FRAME],
] as const)
  HalfOpen(`the inspector: a viewer that ${what}`, () =>
    withInspector(async ({ inspectorPort: port }) => {
      const asked = [
        `GET /page?token=${TOKEN} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
      ]
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
      await once(socket, 'connect')
      socket.write([...asked, '', ''].join('\r\n'))
      await once(socket, 'data')
      socket.resume().write(frame)
      let isOver = false
      socket.once('error', () => {
        isOver = true
      })
      const writeAgain = (): boolean => {
        if (!isOver) socket.write(CLOSING)
        return isOver
      }
      await until(writeAgain, 'the end of a connection that its client keeps')
      socket.destroy()
    }),
  )

HalfOpen.run()
