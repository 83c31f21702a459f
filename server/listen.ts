/** Where a server listens: the options that say so, and what an operator reads when the system refuses. @module */
import type { AddressInfo } from 'node:net'
import type { SessionServer } from '../http/server.ts'
import { refuse } from './settings/checks.ts'

/** Where a server listens, as its options say; an empty address means all of them. */
export type Listening = {
  readonly port: number
  readonly listenAddr: string
  readonly clientPort: number
  readonly clientListenAddr: string
}

/** @param of the listener: that of requestors, or of clients where they have their own
 *  @throws {SettingsError} about its port or its address */
export async function listen(
  server: Pick<SessionServer, 'listen'>,
  settings: Listening,
  of: '' | 'client_',
): Promise<AddressInfo> {
  const isOfClients = of === 'client_'
  const port = isOfClients ? settings.clientPort : settings.port
  const address = isOfClients ? settings.clientListenAddr : settings.listenAddr
  try {
    return await server.listen(port, address || undefined)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      refuse(
        `${of}port`,
        `expected a free port, but another process listens on ${port}; stop it, or choose another`,
      )
    if (code === 'EACCES')
      refuse(`${of}port`, `expected a port that this user may listen on, got ${port}; choose one above 1023`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      refuse(`${of}listen_addr`, `expected an address of this machine, got ${JSON.stringify(address)}`)
    throw error
  }
}
