/** IP addresses and networks, as settings and variables write them. @module */
import { type BlockList, isIP, isIPv6 } from 'node:net'

export type Network = readonly [address: string, bits: number, kind: 'ipv4' | 'ipv6']

/** @param text a network such as `10.1.0.0/16` or `[fd12::]/16`, or one address
 *  @returns null for any other text */
export function networkOf(text: string): Network | null {
  const [, address = '', digits] = /^\[?([^\]/]*)\]?(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (isIP(address) === 0) return null
  const most = isIPv6(address) ? 128 : 32
  const bits = digits === undefined ? most : Number(digits)
  return bits <= most ? [address, bits, isIPv6(address) ? 'ipv6' : 'ipv4'] : null
}

/** False for text that is no address. */
export function isIn(networks: BlockList, address: string): boolean {
  return isIP(address) !== 0 && networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** The host of a URL, without the brackets of an IPv6 address and without the dot at the end of a name. */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
