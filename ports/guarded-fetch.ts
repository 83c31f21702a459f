/** `fetch` for addresses that requestors choose: it connects only to hosts that a rule allows. A name is resolved once, and the connection goes to the checked
 *  address. So the name cannot lead to another address in the meantime. @module */
import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Fetch } from './fetch.ts'
import type { HostRule } from './host-rule.ts'

/** The address may not be called. Its code is for the log of the operator. */
export class RefusedHostError extends Error {
  override readonly name = 'RefusedHostError'
  readonly code = 'REFUSED_BY_OUTGOING_HOSTS'

  constructor() {
    super('expected a host that outgoing_hosts allows, got another one')
  }
}

/** @param fetchBy returns a `fetch` that resolves the names of its own connections by this function. A proxy resolves names itself, so their addresses are not checked */
export function guardedFetch(
  rule: HostRule,
  fetchBy: (lookup: LookupFunction) => Fetch,
  lookup: LookupFunction = systemLookup,
): Fetch {
  const fetch = fetchBy(checkedLookup(rule, lookup))
  return async (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    if (!rule.mayCall(hostname)) throw refused()
    return fetch(input, init)
  }
}

/** In the form in which `fetch` reports a failed connection. */
function refused(): TypeError {
  return new TypeError('fetch failed', { cause: new RefusedHostError() })
}

function checkedLookup(rule: HostRule, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const all = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found
      const allowed = rule.names(hostname) ? all : all.filter(({ address }) => rule.allows(address))
      const [first] = allowed
      if (first === undefined) return callback(new RefusedHostError(), [])
      return options.all ? callback(null, allowed) : callback(null, first.address, first.family)
    })
}
