/** The network address of a caller, under which its calls are counted: of its connection, or of a proxy's header `X-Forwarded-For`. @module */
import { type BlockList, isIP } from 'node:net'
import type { Context } from 'koa'
import { bareHost, countedAs, isIn } from '../ports/network.ts'

export interface CallerNames {
  /** The name for the counts of the caller. */
  of(ctx: Context): string
}

/** @param trusted the networks of proxies, whose header is used
 *  @param warn is called once, for a header from another address, which is ignored */
export function createCallerNames(trusted: BlockList, warn: (text: string) => void): CallerNames {
  let isWarned = false
  return {
    of(ctx) {
      const peer = ctx.req.socket.remoteAddress ?? ''
      const forwarded = ctx.get('X-Forwarded-For')
      if (forwarded === '' || isIn(trusted, peer)) return countedAs(callerBehind(peer, forwarded, trusted))
      if (!isWarned)
        warn(
          `trusted_proxies: X-Forwarded-For of ${peer} is ignored, and all callers behind it share one bound; add this address if it is your proxy`,
        )
      isWarned = true
      return countedAs(peer)
    },
  }
}

/** Each proxy appends the address of its caller, so the rightmost address that is no proxy is the caller. Everything before it may be forged. */
function callerBehind(peer: string, forwarded: string, trusted: BlockList): string {
  let caller = peer
  for (const entry of forwarded.split(',').reverse()) {
    const address = addressIn(entry.trim())
    if (isIP(address) === 0) return caller
    caller = address
    if (!isIn(trusted, address)) return caller
  }
  return caller
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function addressIn(entry: string): string {
  return bareHost(entry.replace(/^([\d.]+|\[.*\]):\d+$/, '$1'))
}
