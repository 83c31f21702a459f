/** Records the hosts to which this process connects from now on. @module */
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

const hosts = new Set<string>()

subscribe('net.client.socket', message => {
  const { socket } = message as { readonly socket: Socket } // the type in Node's documentation
  socket.once('lookup', (_error, _address, _family, host: string) => hosts.add(host))
  socket.once('connect', () => socket.remoteAddress && hosts.add(socket.remoteAddress))
})

/** @returns names and addresses, each once */
export function connectedTo(): readonly string[] {
  return [...hosts]
}
