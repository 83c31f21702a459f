/** The clients of the event stream benchmark. Each is a socket that stores only the time of its last event. @module */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Number of connections per loopback address, because an address has too few ports for tens of thousands of them. */
const PER_ADDRESS = 10_000

export type OpenStream = {
  /** @returns `performance.now()` of the next event */
  nextEventAt(): Promise<number>
  close(): void
}

/** @param url of the stream
 *  @param index number of streams that were opened before it
 *  @returns after the open marker was received */
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

/** Waits for a text. Each text arrives in one chunk, because the server writes it in one. */
async function hears(socket: Socket, text: string): Promise<void> {
  for (;;) {
    const [chunk]: readonly Buffer[] = await once(socket, 'data')
    if (chunk?.includes(text)) return
  }
}
