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

/** The caller behind an address, for bounds: an IPv6 host chooses among all addresses of its network of 64 bits, which counts as one caller. */
export function callerNetwork(address: string): string {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  if (!isIPv6(address) || address.includes('.')) return address.replace(/^::ffff:/i, '')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return groups.slice(0, 4).join(':')
}
