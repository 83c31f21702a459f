/** Connections of a small listener that stay silent, and answers that no client takes. The server's end of a connection is destroyed as soon as
 *  its timer fires. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import * as assert from 'uvu/assert'
import { closeListener, smallListener } from '../../http/listen.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { settle } from '../actors/node.ts'
import { until } from '../patience.ts'
import { suite } from '../suite.ts'

const Few = suite('connections of a small listener')
const ASKED = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

type Opened = {
  readonly clock: ReturnType<typeof createSimulatedClock>
  /** A connection whose client has sent these bytes, and the server's end of it, which has read them. */
  readonly open: (bytes: string) => Promise<{ readonly client: Socket; readonly served: Socket }>
  /** Lets the server answer the oldest request without an answer. */
  readonly answer: () => void
}

async function withListener(use: (opened: Opened) => Promise<void>): Promise<void> {
  const clock = createSimulatedClock(0)
  const waiting: (() => void)[] = []
  const bounds = { inAll: 8, ofAddress: 4 }
  const server = smallListener(clock, bounds, (_, res) => void waiting.push(() => res.end('answer')))
  const served: Socket[] = []
  server.on('connection', socket => served.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // the server listens on a port
  const open: Opened['open'] = async bytes => {
    const client = connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume()
    client.write(bytes)
    await until(() => served[0]?.bytesRead === bytes.length, 'bytes that arrive', settle)
    const [socket] = served.splice(0)
    if (socket === undefined) throw new Error('expected a connection')
    return { client, served: socket }
  }
  await use({ clock, open, answer: () => waiting.shift()?.() })
  await closeListener(server)
}

/** @param ms after which the server closes the connection, and not before */
function assertClosedAfter(ms: number, { served }: { readonly served: Socket }, { clock }: Opened): void {
  clock.advance(ms - 1)
  assert.not(served.destroyed)
  clock.advance(1)
  assert.ok(served.destroyed)
}

for (const [what, bytes] of [
  ['without a byte', ''],
  ['with a part of a head', 'GET / HTTP/1.1\r\nHo'],
] as const)
  Few(`a connection ${what} ends after 5 s`, () =>
    withListener(async opened => assertClosedAfter(5_000, await opened.open(bytes), opened)),
  )

Few('a connection ends 5 s after its last answer, and not before each request has one', () =>
  withListener(async opened => {
    const connection = await opened.open(ASKED + ASKED)
    let text = ''
    connection.client.on('data', chunk => (text += chunk))
    const answersAre = (count: number) =>
      until(() => text.split('answer').length === count + 1, `${count} answers`, settle)
    opened.answer()
    await answersAre(1)
    opened.clock.advance(9_000)
    assert.not(connection.served.destroyed)
    opened.answer()
    await answersAre(2)
    assertClosedAfter(5_000, connection, opened)
  }),
)

Few('a connection whose request has no answer, or whose client does not read it, ends after 10 s', () =>
  withListener(async opened => assertClosedAfter(10_000, await opened.open(ASKED), opened)),
)

Few.run()
