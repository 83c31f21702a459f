/** Admission of viewers: a browser on this computer that shows the inspector's own page, or a program that has the token. The check of the host name stops
 *  foreign names that resolve to this computer. The check of the origin stops pages of other sites, because any page may begin a WebSocket. The token
 *  stops other users of this computer. @module */
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import { isSameSecret } from '../secrets.ts'

/** The names of this computer to itself, with any port: there may be a tunnel in between. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/

/** True if only this computer can reach the address. */
export function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'))
}

/** The host name to which the request was sent.
 *  @returns null: it is not a name of this computer */
export function calledHost({ headers }: IncomingMessage): string | null {
  const { host = '' } = headers
  return LOOPBACK.test(host) ? host : null
}

export type Refusal = readonly [status: 403 | 404 | 503, words: string]

/** The refusal of a request to another host name. */
export const FOREIGN = [403, 'Host: expected a name of this computer, got another or none'] as const

/** @param token secret
 *  @returns null: the WebSocket may begin */
export function refusalOf(req: IncomingMessage, paths: readonly string[], token: string): Refusal | null {
  const host = calledHost(req)
  if (host === null) return FOREIGN
  const { origin } = req.headers
  if (origin !== undefined && origin !== `http://${host}`)
    return [403, `Origin: expected http://${host} or none, got another`]
  const [path = '', query = ''] = (req.url ?? '').split('?')
  if (!paths.includes(path)) return [404, `path: expected one of ${paths.join(', ')}, got another`]
  if (!isSameSecret(new URLSearchParams(query).get('token') ?? '', token))
    return [403, 'token: expected the token that was printed at the start, got another or none']
  return null
}
