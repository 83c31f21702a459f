/** Listeners on this computer. @module */
import { createServer, type Server } from 'node:http'
import { isIPv6 } from 'node:net'
import { answerBrokenRequest } from '../http/broken-request.ts'
import { FIXED_LIMITS } from '../http/limits.ts'
import { listen as begin, closeListener } from '../http/listen.ts'
import type { OnClose } from '../server/opened.ts'

/** @param port 0: any free one
 *  @returns the address, without a slash at the end
 *  @throws what the system says of the address */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  const bound = await begin(server, port, host)
  return `http://${isIPv6(host) ? `[${host}]` : host}:${bound.port}`
}

/** A listener that is there before what answers its requests, which names its address.
 *  @throws as `listen` */
export async function openListener(
  port: number,
  host: string,
  onClose: OnClose,
): Promise<{ readonly listener: Server; readonly address: string }> {
  const { readingMs } = FIXED_LIMITS
  const listener = createServer({ headersTimeout: readingMs, requestTimeout: 2 * readingMs })
  const address = await listen(listener.on('clientError', answerBrokenRequest(FIXED_LIMITS)), port, host)
  onClose(() => closeListener(listener))
  return { listener, address }
}
