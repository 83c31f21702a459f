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
  let next: { asked: string; deafens: boolean } | null = null
  let isDeaf = false
  let cuts = 0
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, fromStore => {
    const toServer = connect(target)
    let fault: typeof next = null
    for (const socket of [fromStore, toServer]) {
      sockets.add(socket)
      socket.on('error', () => {}) // the close event follows
    }
    fromStore.on('close', () => toServer.destroy())
    toServer.on('close', () => fromStore.destroy())
    fromStore.on('data', chunk => {
      if (next !== null && chunk.includes(next.asked)) {
        fault = next
        next = null
      }
      if (!isDeaf) toServer.write(chunk)
    })
    toServer.on('data', chunk => {
      isDeaf ||= fault?.deafens ?? false
      if (isDeaf) return
      if (fault === null) return void fromStore.write(chunk)
      cuts += 1
      fromStore.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a port')
  return {
    port: address.port,
    cutAfter(asked) {
      next = { asked, deafens: false }
    },
    deafAfter(asked) {
      next = { asked, deafens: true }
    },
    isDeaf: () => isDeaf,
    cuts: () => cuts,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
