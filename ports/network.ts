/** IP addresses and networks, as settings and variables write them. @module */
import { BlockList, isIP, isIPv6 } from 'node:net'

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

/** `::ffff:10.0.0.1` is the address 10.0.0.1, however it is written. Other addresses are returned as they are. */
export function ipv4Inside(address: string): string {
  const [, high = '', low = ''] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(ipv6Host(address)) ?? []
  if (high === '') return address
  const bytes = [high, low].flatMap(part => [
    Number.parseInt(part, 16) >> 8,
    Number.parseInt(part, 16) & 0xff,
  ])
  return bytes.join('.')
}

/** The one form of an IPv6 address, as URLs write it. */
function ipv6Host(address: string): string {
  return isIPv6(address) && !address.includes('%') ? new URL(`http://[${address}]`).hostname : ''
}

/** The name under which the calls from an address are counted: the IPv4 address, or the first 64 bits of an IPv6 address, because one caller has all addresses
 *  that begin with them. */
export function countedAs(address: string): string {
  const name = ipv4Inside(address)
  const host = ipv6Host(name.replace(/%.*$/, ''))
  if (host === '') return name
  const [left = [], right = []] = host
    .slice(1, -1)
    .split('::')
    .map(part => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

/** @param entries networks, without a mistake */
export function networksOf(entries: readonly string[]): BlockList {
  const networks = new BlockList()
  for (const network of entries.map(networkOf)) if (network !== null) networks.addSubnet(...network)
  return networks
}
