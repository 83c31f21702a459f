/** A raw connection to a test server, on which the test writes any bytes: several calls in a row, or incomplete calls. @module */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { SessionOfTest } from './harness.ts'

export type RawConnection = {
  readonly socket: Socket
  /** @returns the bytes that were received so far, as text */
  got(): string
  isClosed(): boolean
}

export function watched(socket: Socket): RawConnection {
  let text = ''
  socket.on('error', () => {}).on('data', chunk => (text += chunk))
  return { socket, got: () => text, isClosed: () => socket.closed }
}

/** A connection on which these bytes were sent. */
export async function sent(port: number, bytes = ''): Promise<RawConnection> {
  // without `noDelay`, the second part of a head would wait for the acknowledgement of the first
  const connection = watched(connect({ port, host: '127.0.0.1', noDelay: true }))
  await once(connection.socket, 'connect')
  connection.socket.write(bytes)
  return connection
}

/** The call that opens the event stream of a wallet app. */
export function asking({ app }: SessionOfTest, version = '1.1', method = 'GET'): string {
  return `${method} ${app}/statusevents HTTP/${version}\r\nHost: x\r\n\r\n`
}
