/** The address in session pointers: the option `url`, completed as operators write it. @module */

import { isIPv6 } from 'node:net'
import { addressOf } from '../../ports/outgoing-address.ts'
import { parseUrl } from '../../ports/parse-url.ts'
import { mistakeInBaseAddress } from '../../protocol/base-address.ts'
import { shownAddress } from '../../protocol/shown-address.ts'
import { SettingsError } from './errors.ts'

type UrlParts = {
  /** the option; empty: `http://` and the address of this machine */
  readonly url: string
  readonly port: number
  readonly hasTls: boolean
  /** path prefix of the profile, `/svc` */
  readonly prefix: string
  readonly localAddress: string
  /** path of the option `api_prefix`, with a slash at its end */
  readonly path: string
}

/** @returns the address before the profile's prefix, with a slash at its end
 *  @throws {SettingsError} if it is no http or https address */
export function externalUrl({ url, port, hasTls, prefix, localAddress, path }: UrlParts): string {
  const given =
    url ||
    `http://${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:port${path}${prefix.slice(1)}/`
  const withPort = given.replace(/^(https?:\/\/[^/]*):port(?=\/|$)/, `$1:${port}`)
  return baseUrl(hasTls ? withPort.replace(/^http:/, 'https:') : withPort, prefix)
}

/** @param url with the prefix of the profile or without
 *  @returns without it, with a slash at its end
 *  @throws {SettingsError} */
export function baseUrl(url: string, prefix: string): string {
  const mistake = mistakeInBaseAddress(url)
  if (mistake !== null) throw new SettingsError(`url: ${mistake}`)
  const withSlash = url.endsWith('/') ? url : `${url}/`
  if (!/^https?:\S*$/.test(withSlash) || parseUrl(withSlash) === null)
    throw new SettingsError(`url: expected an http or https address, got ${shownAddress(url)}`)
  if (addressOf(withSlash) === null)
    throw new SettingsError(
      `url: expected an address without user name and password, got ${shownAddress(url)}`,
    )
  return withSlash.endsWith(`${prefix}/`) ? withSlash.slice(0, -prefix.length) : withSlash
}
