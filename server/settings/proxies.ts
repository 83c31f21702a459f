/** The option `trusted_proxies`. @module */
import { networkOf } from '../../ports/network.ts'
import { refuse } from './checks.ts'

export function checkProxies({ trusted_proxies }: { readonly trusted_proxies: readonly string[] }): void {
  const wrong = trusted_proxies.find(entry => networkOf(entry) === null)
  if (wrong !== undefined)
    refuse('trusted_proxies', `expected an address or a network such as 10.1.0.0/16, got "${wrong}"`)
}
