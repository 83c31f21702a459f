/** The return URL, to which a wallet app sends its user when a session ends (spec/interface#2.3): which URLs are allowed, and how the requestor token is added. @module */
import { parseUrl } from '../ports/parse-url.ts'

/** URL schemes that run code or show local files. */
const DANGEROUS = /^(?:javascript|vbscript|data|blob|file|filesystem|about|view-source):$/
const TOKEN = 'token'

/** True for a URL of the web or of an app (`app://x`, `tel:`). Control characters are refused: `URL` ignores them, but terminals interpret them. */
export function isReturnUrl(text: string): boolean {
  const url = parseUrl(text)
  return url !== null && !/\p{Cc}/u.test(text) && !DANGEROUS.test(url.protocol)
}

/** Adds the query parameter `token` before the fragment, because browsers do not send fragments. It replaces a `token` of the requestor: programs differ in which
 *  of two they read. All other parameters are kept byte for byte, without empty ones, because URLs of apps follow no common rule.
 *  @param token secret; letters and digits, which need no encoding */
export function withToken(url: string, token: string): string {
  const hash = url.indexOf('#')
  const [address, fragment] = hash === -1 ? [url, ''] : [url.slice(0, hash), url.slice(hash)]
  const mark = address.indexOf('?')
  const [path, query] = mark === -1 ? [address, ''] : [address.slice(0, mark), address.slice(mark + 1)]
  const others = query.split('&').filter(each => each !== '' && !isToken(each))
  return `${path}?${[...others, `${TOKEN}=${token}`].join('&')}${fragment}`
}

/** True also for a percent-encoded name. */
function isToken(parameter: string): boolean {
  return new URLSearchParams(parameter).has(TOKEN)
}
