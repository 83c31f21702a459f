/** Opening and closing a listener on this computer. @module */
import type { Server } from 'node:http'
import { isIPv6 } from 'node:net'

/** @param port 0: any free one
 *  @returns the address, without a slash at the end
 *  @throws what the system says of the address */
export function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      const bound = server.address()
      if (typeof bound === 'object' && bound !== null)
        resolve(`http://${isIPv6(host) ? `[${host}]` : host}:${bound.port}`)
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
