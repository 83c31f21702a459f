/** How every listener of a server begins, and how those without calls to finish end. @module */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** @throws what the system says of the address */
export function listen(server: Server, port: number, host: string | undefined): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, ...(host !== undefined && { host }) }, () => {
      server.off('error', reject)
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(address)
      else reject(new TypeError('expected an address with a port'))
    })
  })
}

/** Ends its connections too. */
export function closeListener(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
