/** A relay in front of a server, which records every byte. @module */
import { connect, createServer, type Socket } from 'node:net'

export type Relay = {
  readonly port: number
  /** all bytes from clients so far */
  readonly received: () => Buffer
  /** all bytes from the server so far */
  readonly sent: () => Buffer
  readonly close: () => void
}

/** @param port of the server, which may be known later */
export async function relayTo(port: () => number): Promise<Relay> {
  const received: Buffer[] = []
  const sent: Buffer[] = []
  const keepIn = (chunks: Buffer[], socket: Socket) =>
    socket.on('data', chunk => chunks.push(Buffer.from(chunk)))
  const server = createServer(client => {
    const target = connect(port(), '127.0.0.1')
    keepIn(received, client)
    keepIn(sent, target)
    client.pipe(target).pipe(client)
    for (const socket of [client, target])
      socket.on('error', () => {
        client.destroy()
        target.destroy()
      })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a port')
  return {
    port: address.port,
    received: () => Buffer.concat(received),
    sent: () => Buffer.concat(sent),
    close: () => server.close(),
  }
}
