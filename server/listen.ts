/** The address of a server: its options, and the message for an operator when the system refuses it. @module */
import type { AddressInfo } from 'node:net'
import type { SessionServer } from '../http/server.ts'
import { refuse } from './settings/checks.ts'

/** The options about where a server listens. An empty address means all addresses. */
export type ListenAddress = {
  readonly port: number
  readonly listenAddr: string
  readonly clientPort: number
  readonly clientListenAddr: string
}

/** @param of which listener: the main one, or the separate one of wallet apps and frontends
 *  @throws {SettingsError} about its port or its address */
export function listen(server: Listener, settings: ListenAddress, of: '' | 'client_'): Promise<AddressInfo> {
  const isOfClients = of === 'client_'
  return listenAt(server, {
    port: { option: `${of}port`, value: isOfClients ? settings.clientPort : settings.port },
    address: {
      option: `${of}listen_addr`,
      value: isOfClients ? settings.clientListenAddr : settings.listenAddr,
    },
  })
}

type Listener = Pick<SessionServer, 'listen'>
type Option<Value> = { readonly option: string; readonly value: Value }

/** @throws {SettingsError} that names the option whose value the system refuses */
export async function listenAt(
  server: Listener,
  { port, address }: { readonly port: Option<number>; readonly address: Option<string> },
): Promise<AddressInfo> {
  try {
    return await server.listen(port.value, address.value || undefined)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      refuse(
        port.option,
        `expected a free port, but another process listens on ${port.value}; stop it, or choose another`,
      )
    if (code === 'EACCES')
      refuse(
        port.option,
        `expected a port that this user may listen on, got ${port.value}; choose one above 1023`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      refuse(address.option, `expected an address of this machine, got ${JSON.stringify(address.value)}`)
    throw error
  }
}
