/** A relay between a store and its server that breaks a connection when the server has done something, and before it has said so. @module */
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

export type CuttingRelay = {
  readonly port: number
  /** The next connection on which that is asked for breaks when the server answers it; the answer goes nowhere. */
  readonly cutAfter: (asked: string) => void
  readonly cuts: () => number
  readonly close: () => void
}

/** @param target address of the server */
export async function cuttingRelay(target: NetConnectOpts): Promise<CuttingRelay> {
  let asked: string | null = null
  let cuts = 0
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, client => {
    const store = connect(target)
    let isCut = false
    for (const socket of [client, store]) {
      sockets.add(socket)
      socket.on('error', () => {}) // its end follows
    }
    client.on('close', () => store.destroy())
    store.on('close', () => client.destroy())
    client.on('data', chunk => {
      if (asked !== null && chunk.includes(asked)) {
        isCut = true
        asked = null
      }
      store.write(chunk)
    })
    store.on('data', chunk => {
      if (!isCut) return void client.write(chunk)
      cuts += 1
      client.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a port')
  return {
    port: address.port,
    cutAfter(next) {
      asked = next
    },
    cuts: () => cuts,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
