/** A relay between a store and its server. It breaks a connection, or stops passing data, after the server has done something and before the answer arrives. @module */
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

export type CuttingRelay = {
  readonly port: number
  /** When the server answers the next command that contains this text, the connection breaks and the answer is dropped. */
  readonly cutAfter: (asked: string) => void
  /** From the answer to that command on, no byte passes on any connection, and none of them breaks. */
  readonly deafAfter: (asked: string) => void
  readonly isDeaf: () => boolean
  readonly cuts: () => number
  readonly close: () => void
}

/** @param target address of the server */
export async function cuttingRelay(target: NetConnectOpts): Promise<CuttingRelay> {
  let next: { asked: string; isLast: boolean } | null = null
  let isDeaf = false
  let cuts = 0
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, client => {
    const store = connect(target)
    let fault: typeof next = null
    for (const socket of [client, store]) {
      sockets.add(socket)
      socket.on('error', () => {}) // the close event follows
    }
    client.on('close', () => store.destroy())
    store.on('close', () => client.destroy())
    client.on('data', chunk => {
      if (next !== null && chunk.includes(next.asked)) {
        fault = next
        next = null
      }
      if (!isDeaf) store.write(chunk)
    })
    store.on('data', chunk => {
      isDeaf ||= fault?.isLast ?? false
      if (isDeaf) return
      if (fault === null) return void client.write(chunk)
      cuts += 1
      client.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a port')
  return {
    port: address.port,
    cutAfter(asked) {
      next = { asked, isLast: false }
    },
    deafAfter(asked) {
      next = { asked, isLast: true }
    },
    isDeaf: () => isDeaf,
    cuts: () => cuts,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
