/** Listeners on this computer. @module */
import type { Server } from 'node:http'
import { isIPv6 } from 'node:net'
import { listen as begin, closeListener, smallListener } from '../http/listen.ts'
import type { Clock } from '../ports/clock.ts'
import type { OnClose } from '../server/closable.ts'

/** @param port 0: any free one
 *  @returns the address, without a slash at the end
 *  @throws the system's error about the address */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  const bound = await begin(server, port, host)
  return `http://${isIPv6(host) ? `[${host}]` : host}:${bound.port}`
}

/** A listener that exists before the handler of its requests, which needs its address.
 *  @throws as `listen` */
export async function openListener(
  { clock }: { readonly clock: Clock },
  port: number,
  host: string,
  onClose: OnClose,
): Promise<{ readonly listener: Server; readonly address: string }> {
  const listener = smallListener(clock, null)
  const address = await listen(listener, port, host)
  onClose(() => closeListener(listener))
  return { listener, address }
}
