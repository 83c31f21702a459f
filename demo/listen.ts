/** A listener on this computer. @module */
import type { Server } from 'node:http'
import { isIPv6 } from 'node:net'
import { listen as begin } from '../http/listen.ts'

/** @param port 0: any free one
 *  @returns the address, without a slash at the end
 *  @throws what the system says of the address */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  const bound = await begin(server, port, host)
  return `http://${isIPv6(host) ? `[${host}]` : host}:${bound.port}`
}
