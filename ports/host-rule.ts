/** Which hosts this server calls on behalf of requestors (`callbackUrl`, `nextSession.url`): the option `outgoing_hosts`. @module */
import { BlockList, isIP, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { bareHost, ipv4Inside, isIn, networkOf } from './network.ts'

/** A rule, made from the entries of `outgoing_hosts`. */
export type HostRule = {
  /** true: every host may be called */
  readonly isOpen: boolean
  /** True for a host that the rule names. It may have any address. */
  names(host: string): boolean
  /** @param address IPv4 or IPv6 */
  allows(address: string): boolean
  /** False for a host that is refused whatever its name resolves to. */
  mayCall(host: string): boolean
}

/** Allows every host. */
const ANY = '*'
/** Allows every address that is not in one of `INNER`. */
const PUBLIC = 'public'

/** Networks that the Internet does not reach, and those whose addresses stand for addresses in other networks (RFC 6890). */
const INNER: readonly (readonly [network: string, bits: number])[] = [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16], // the metadata of clouds too
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
  ] as const),
  ...([
    ['::', 96], // unspecified, loopback, and IPv4 addresses in an old form
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['2001::', 32],
    ['2002::', 16],
    ['fc00::', 7],
    ['fe80::', 9], // link-local and site-local
    ['ff00::', 8],
  ] as const),
]

/** @param entries without a mistake: `*`, `public`, a host, a domain with its subdomains (`.shop.example`), or a network (`10.1.0.0/16`) */
export function hostRule(entries: readonly string[]): HostRule {
  const [hosts, suffixes, networks] = [new Set<string>(), new Set<string>(), new BlockList()]
  for (const entry of entries) {
    if (entry === ANY || entry === PUBLIC) continue
    const network = networkOf(entry)
    if (network !== null) networks.addSubnet(...network)
    else if (entry.startsWith('.')) suffixes.add(`.${domainOf(entry)}`)
    else hosts.add(domainOf(entry))
  }
  const [isOpen, isPublic] = [entries.includes(ANY), entries.includes(PUBLIC)]
  const hasNetworks = isPublic || networks.rules.length > 0
  const names: HostRule['names'] = given => {
    const host = bareHost(given)
    return isOpen || hosts.has(host) || [...suffixes].some(suffix => host.endsWith(suffix))
  }
  const allows: HostRule['allows'] = given => {
    const address = ipv4Inside(bareHost(given))
    const isOutside = isPublic && isIP(address) !== 0 && !isIn(INNER_LIST, address)
    return isOpen || isOutside || isIn(networks, address)
  }
  const mayCall: HostRule['mayCall'] = host =>
    isIP(bareHost(host)) === 0 ? names(host) || hasNetworks : allows(host)
  return { isOpen, names, allows, mayCall }
}

/** @returns null if each entry is valid */
export function mistakeInHosts(entries: readonly string[]): string | null {
  const wrong = entries.find(
    entry => entry !== ANY && entry !== PUBLIC && networkOf(entry) === null && !isDomain(entry),
  )
  return wrong === undefined
    ? null
    : `expected *, public, a host, .domain or a network such as 10.1.0.0/16, got "${wrong}"`
}

const DOMAIN = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/

function domainOf(entry: string): string {
  return domainToASCII(entry.replace(/^\./, ''))
}

/** `domainToASCII` parses like a URL: it drops a path and turns 10.1 into 10.0.0.1. So both are refused here. */
function isDomain(entry: string): boolean {
  const domain = domainOf(entry)
  return !/[/:*?#@]/.test(entry) && DOMAIN.test(domain) && isIP(domain) === 0
}

const INNER_LIST = new BlockList()
for (const [network, bits] of INNER) INNER_LIST.addSubnet(network, bits, isIPv6(network) ? 'ipv6' : 'ipv4')
