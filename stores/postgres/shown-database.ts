/** The name of a PostgreSQL database in messages: its host and its own name, without the user. @module */
import { parseUrl } from '../../ports/parse-url.ts'
import { shownAddress } from '../../protocol/shown-address.ts'

/** @param address `postgres://...`, secret
 *  @returns in quotes. An "@" behind the host may belong to a password without percent encoding, so the parts of such an address are hidden */
export function shownDatabase(address: string): string {
  const url = parseUrl(address)
  if (url === null || `${url.pathname}${url.search}${url.hash}`.includes('@')) return shownAddress(address)
  return JSON.stringify(`${url.protocol}//${url.host}${url.pathname}`)
}
