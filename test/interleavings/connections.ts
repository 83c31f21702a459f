/** Connections between clients and a server of one process, without a network. It is real HTTP over streams, so that events and their order depend
 *  only on the script. @module */
import { createServer, type RequestListener } from 'node:http'
import { Duplex } from 'node:stream'
import { type Client, clientOver } from '../http/client.ts'

export type Connections = {
  readonly client: Client
  /** Breaks all connections, as if the server process were killed. */
  cut(): void
}

/** @param note called whenever bytes move */
export function connectionsTo(listener: RequestListener, note: () => void): Connections {
  const server = createServer({ keepAliveTimeout: 0 }, listener)
  const open = new Set<Duplex>()
  const connect = (): Duplex => {
    const [near, far] = pipe(note)
    open.add(near)
    near.once('close', () => open.delete(near))
    server.emit('connection', far)
    return near
  }
  return {
    client: clientOver(() => ({ createConnection: connect, headers: {} })),
    cut() {
      for (const socket of open) socket.destroy(new Error('the connection broke'))
    },
  }
}

/** Two ends: data written to one is read from the other. */
function pipe(note: () => void): [Duplex, Duplex] {
  const near = endOf(() => far, note)
  const far: Duplex = endOf(() => near, note)
  return [near, far]
}

function endOf(other: () => Duplex, note: () => void): Duplex {
  const end = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      note()
      if (!other().destroyed) other().push(chunk)
      done()
    },
    final(done) {
      if (!other().destroyed) other().push(null)
      done()
    },
  })
  end.once('close', () => setImmediate(() => other().destroy()))
  return end.on('error', () => {}) // an answer that never arrives
}
