/** Compares the host of a request with other hosts (spec/interface#2.3, #5.1; spec/decisions#hosts): by name in one profile, with the port in the other.
 *  @module */
import type { Profile } from './profiles.ts'

type Rule = Pick<Profile, 'comparedHost'>

const PORT = /:[0-9]*$/
/** The port of a pattern, after a name or an IPv6 address with escaped brackets. */
const PORT_OF_PATTERN = /^((?:\\\[[^\]]*\\\]|[^:])*):[0-9*?]+$/

/** @param host a name or an address in brackets, with or without a port
 *  @returns the text that is compared */
export function comparedHost(host: string, { comparedHost }: Rule): string {
  return comparedHost === 'name' ? host.replace(PORT, '') : host
}

/** @param pattern of `host_perms`, see sessions/glob.ts
 *  @returns the pattern to match with the result of `comparedHost` */
export function comparedPattern(pattern: string, { comparedHost }: Rule): string {
  return comparedHost === 'name' ? pattern.replace(PORT_OF_PATTERN, '$1') : pattern
}

/** The host of a session pointer: the one in the request, unchanged. If the request names the server's own host without a port, the port of the server is added.
 *  @param host of the request; empty: none
 *  @param base the URL of the server */
export function pointerHost(host: string, base: URL, rule: Rule): string {
  const isOwn = !PORT.test(host) && comparedHost(host, rule) === comparedHost(base.host, rule)
  return host === '' || isOwn ? base.host : host
}
