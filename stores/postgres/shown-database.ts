/** How messages name a PostgreSQL database: by its host and its own name, without its user. @module */
import { shownAddress } from '../../protocol/shown-address.ts'

/** @param address `postgres://...`, secret
 *  @returns in quotes; an "@" behind the host may belong to a password that is not in percent encoding, so that such an address shows nothing */
export function shownDatabase(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || `${url.pathname}${url.search}${url.hash}`.includes('@')) return shownAddress(address)
  return JSON.stringify(`${url.protocol}//${url.host}${url.pathname}`)
}
