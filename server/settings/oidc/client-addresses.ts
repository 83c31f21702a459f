/** Addresses of clients: redirect URIs and logout URIs. They are compared character by character, so each must be whole and plain. @module */

import { isLoopback } from '../../../http/inspector/admission.ts'
import { hasBlockedPort } from '../../../ports/outgoing-address.ts'
import { parseUrl } from '../../../ports/parse-url.ts'
import { shownAddress } from '../../../protocol/shown-address.ts'

/** @returns null: the address may be used; otherwise why not */
export function mistakeInClientAddress(text: string, production: boolean): string | null {
  const url = parseUrl(text)
  const got = `got ${shownAddress(text.slice(0, 200))}`
  if (url === null || !/^https?:\/\/[^/]/.test(text) || !/^[!-~]+$/.test(text))
    return `expected a whole https address, ${got}`
  if (url.username !== '' || url.password !== '') return `expected an address without user name, ${got}`
  if (text.includes('#')) return `expected an address without "#", ${got}`
  if (text.includes('*')) return `expected an exact address without "*", ${got}`
  if (hasBlockedPort(url)) return `expected a port that browsers and other HTTP clients call, ${got}`
  if (url.protocol === 'https:') return null
  if (production) return `expected an https address in production, ${got}`
  return isOfThisComputer(url.hostname) ? null : `expected https, or http with a loopback host, ${got}`
}

/** Parameters that the provider adds to a redirect URI. The site would get two of a name. */
const OF_ANSWERS = ['code', 'state', 'iss', 'error', 'error_description']

/** @returns null: the query holds no parameter of an answer; otherwise the mistake */
export function mistakeInRedirectQuery(text: string): string | null {
  const names = new Set(parseUrl(text)?.searchParams.keys())
  const found = OF_ANSWERS.find(name => names.has(name))
  return found === undefined
    ? null
    : `expected no parameter of the answer in the query, got "${found}": choose another name`
}

function isOfThisComputer(host: string): boolean {
  return host === 'localhost' || isLoopback(host.replace(/^\[(.*)\]$/, '$1'))
}
