/** A connection to a server of a test on which bytes are written as they stand: several calls one behind the other, calls that break off. @module */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { SessionOfTest } from './harness.ts'

export type RawConnection = {
  readonly socket: Socket
  /** @returns what came so far */
  got(): string
}

/** A connection on which these bytes were sent. */
export async function sent(port: number, bytes: string): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('error', () => {}).on('data', chunk => (text += chunk))
  await once(socket, 'connect')
  socket.write(bytes)
  return { socket, got: () => text }
}

/** The call by which a wallet app follows its session. */
export function asking({ app }: SessionOfTest, version = '1.1', method = 'GET'): string {
  return `${method} ${app}/statusevents HTTP/${version}\r\nHost: x\r\n\r\n`
}
