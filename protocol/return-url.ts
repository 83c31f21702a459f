/** The address to which a wallet app sends its user when a session ends (spec 2.3): what it may be, and how the requestor token gets into it. @module */

/** Schemes by which an address runs code or shows local files. */
const DANGEROUS = /^(?:javascript|vbscript|data|blob|file|filesystem|about|view-source):$/
const TOKEN = 'token'

/** True for a URL of the web or of an app (`app://x`, `tel:`). `URL` ignores control characters, which terminals obey: they are refused. */
export function isReturnUrl(text: string): boolean {
  if (!URL.canParse(text) || /\p{Cc}/u.test(text)) return false
  return !DANGEROUS.test(new URL(text).protocol)
}

/** Adds the query parameter `token` before the fragment, where browsers would not send it. A `token` of the requestor's own is replaced: of two,
 *  programs differ in which they read. Every other byte stays, because no rule of URLs holds for the addresses of all apps.
 *  @param token secret; letters and digits, which need no encoding */
export function withToken(url: string, token: string): string {
  const hash = url.indexOf('#')
  const [address, fragment] = hash === -1 ? [url, ''] : [url.slice(0, hash), url.slice(hash)]
  const mark = address.indexOf('?')
  const [path, query] = mark === -1 ? [address, ''] : [address.slice(0, mark), address.slice(mark + 1)]
  const others = query.split('&').filter(each => each !== '' && !isToken(each))
  return `${path}?${[...others, `${TOKEN}=${token}`].join('&')}${fragment}`
}

/** True also for a name in percent encoding. */
function isToken(parameter: string): boolean {
  return new URLSearchParams(parameter).has(TOKEN)
}
