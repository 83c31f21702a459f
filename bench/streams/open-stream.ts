/** The clients of the benchmark of event streams: a socket each, of which nothing is kept but when its last event came. @module */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** One loopback address has too few ports for tens of thousands of connections. */
const PER_ADDRESS = 10_000

export type OpenStream = {
  /** @returns `performance.now()` of the next event */
  nextEventAt(): Promise<number>
  close(): void
}

/** @param url of the stream
 *  @param index tells how many were opened before it
 *  @returns once the open marker is there */
export async function openStream(url: string, index: number): Promise<OpenStream> {
  const { hostname, port, pathname, host } = new URL(url)
  const localAddress = `127.0.0.${2 + Math.floor(index / PER_ADDRESS)}`
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n\r\n`)
  await hears(socket, 'event: open')
  return {
    async nextEventAt() {
      await hears(socket, 'data:')
      return performance.now()
    },
    close: () => socket.destroy(),
  }
}

/** Each of these texts arrives in one piece: it is written in one. */
async function hears(socket: Socket, text: string): Promise<void> {
  for (;;) {
    const [chunk]: readonly Buffer[] = await once(socket, 'data')
    if (chunk?.includes(text)) return
  }
}
