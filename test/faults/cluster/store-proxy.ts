/** A relay between a node and its store. Its connections can be cut, silenced or delayed. @module */
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { pause } from '../../patience.ts'

/** `open`: everything passes. `cut`: connections break. `half-open`: nothing passes, and neither side learns that the other has gone. `slow`: everything passes, but late. */
export type Passage = 'open' | 'cut' | 'half-open' | 'slow'

export type StoreProxy = {
  readonly port: number
  readonly set: (passage: Passage) => void
  /** Makes the existing connections half-open for good. Later connections are not affected. */
  readonly silence: () => void
  readonly close: () => void
}

/** The delay of each chunk of data. */
const DELAY_MS = 150

/** @param target address of the store */
export async function storeProxy(target: NetConnectOpts): Promise<StoreProxy> {
  let passage: Passage = 'open'
  const sockets = new Set<Socket>()
  const silenced = new WeakSet<Socket>()
  const isSwallowed = (from: Socket): boolean => passage === 'half-open' || silenced.has(from)
  const relay = (from: Socket, to: Socket): void => {
    let sent = Promise.resolve()
    from.on('data', chunk => {
      if (isSwallowed(from)) return // the waiting side gets no notice
      if (passage === 'slow') sent = sent.then(() => pause(DELAY_MS))
      sent = sent.then(() => void to.write(chunk))
    })
    from.on('end', () => {
      if (!isSwallowed(from)) to.end()
    })
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
  }
  const server = createServer({ noDelay: true, allowHalfOpen: true }, client => {
    if (passage === 'cut') return void client.destroy()
    const store = connect({ ...target, allowHalfOpen: true })
    for (const socket of [client, store]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    relay(client, store)
    relay(store, client)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a port')
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    set(next) {
      // swallowed data is missing for good: such a connection is unusable
      if (next === 'cut' || passage === 'half-open') breakAll()
      passage = next
    },
    silence() {
      for (const socket of sockets) silenced.add(socket)
    },
    close() {
      server.close()
      breakAll()
    },
  }
}
