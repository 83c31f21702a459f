/** Connections that send nothing. @module */
import { once } from 'node:events'
import { connect } from 'node:net'
import { settle } from '../actors/node.ts'
import { until } from '../patience.ts'

export type IdleConnections = {
  /** Waits until at most `most` connections are open. @returns their number */
  open(most: number): Promise<number>
  end(): void
}

/** @param localAddress of the client */
export async function idleConnections(
  port: number,
  count: number,
  localAddress = '127.0.0.1',
): Promise<IdleConnections> {
  const sockets = Array.from({ length: count }, () =>
    connect({ port, host: '127.0.0.1', localAddress })
      .on('error', () => {})
      .resume(),
  )
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  const openNow = (): number => sockets.filter(socket => !socket.closed).length
  return {
    async open(most) {
      await until(() => openNow() <= most, `${most} open connections`, settle)
      return openNow()
    },
    end() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
