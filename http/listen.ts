/** How every listener of a server begins, and how those without calls to finish end. @module */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../ports/clock.ts'
import { brokenRequests } from './broken-request.ts'
import { boundConnections, type ConnectionBounds } from './few-connections.ts'
import { SMALL_LISTENER_LIMITS } from './limits.ts'
import { PendingAnswers } from './pending-answers.ts'
import type { Limits } from './settings.ts'

/** The bounds of every listener on the bytes and on the time of a request. */
export function readingOptions({ readingMs, headBytes }: Pick<Limits, 'readingMs' | 'headBytes'>) {
  return {
    maxHeaderSize: headBytes,
    headersTimeout: readingMs,
    // of a body that no endpoint reads: the readers of bodies are stricter
    requestTimeout: 2 * readingMs,
    connectionsCheckingInterval: 1_000,
  } as const satisfies ServerOptions
}

/** A request with an `Expect` that Node does not know is handled like every other request. Node would answer 417 itself. */
export function takeExpectations(server: Server): Server {
  return server.on('checkExpectation', (request, answer) => server.emit('request', request, answer))
}

/** A listener without options, for callers on this computer or in its network.
 *  @param bounds of its connections; null: any number, also of silent ones
 *  @param takesUpgrades the caller answers each request for another protocol; without it such a request is one like all others */
export function smallListener(
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>,
  bounds: ConnectionBounds | null,
  answer?: RequestListener,
  takesUpgrades = false,
): Server {
  const limits = SMALL_LISTENER_LIMITS
  const server = createServer(readingOptions(limits), answer)
  server.timeout = limits.idleMs
  takeExpectations(server)
  if (bounds !== null) boundConnections(server, bounds, clock, takesUpgrades)
  return server.on(
    'clientError',
    brokenRequests({ clock, limits, answers: new PendingAnswers(server) }).answer,
  )
}

/** @throws the error of the system about the address */
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
