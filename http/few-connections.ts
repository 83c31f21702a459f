/** A small listener takes few connections. Past the bound the one that has been idle for longest makes room: idle connections would keep other callers out. @module */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** @param max the most connections at once; past it, and without an idle one, a new connection is closed
 *  @param takesUpgrades Node leaves a connection to the listeners of this event: without a listener that answers, it would stay for good */
export function boundConnections(server: Server, max: number, takesUpgrades: boolean): void {
  const open = new Set<Socket>()
  /** Those without a request, the longest idle first. */
  const idle = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    idle.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      idle.delete(socket)
    })
    if (open.size > max) for (const oldest of [...idle].slice(0, open.size - max)) close(oldest)
  })
  server.on('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    idle.delete(socket)
    answer.once('close', () => open.has(socket) && idle.add(socket))
  })
  if (takesUpgrades) server.on('upgrade', ({ socket }: IncomingMessage) => idle.delete(socket))

  /** It counts no longer, though its end takes a turn. */
  function close(socket: Socket): void {
    open.delete(socket)
    idle.delete(socket)
    socket.destroy()
  }
}
