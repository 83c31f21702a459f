/** How many connections a listener takes at once. @module */
import { connect } from 'node:net'

/** Opens so many connections at once, and asks something on each.
 *  @returns how many were answered; all are closed then */
export async function answeredConnections(port: number, count: number): Promise<number> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  const answers = sockets.map(
    socket =>
      new Promise<boolean>(resolve => {
        socket.once('data', () => resolve(true)).once('close', () => resolve(false))
        socket.on('error', () => {}) // it was closed while it asked
        socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
      }),
  )
  const answered = (await Promise.all(answers)).filter(Boolean).length
  for (const socket of sockets) socket.destroy()
  return answered
}
