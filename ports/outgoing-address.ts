/** Addresses that this server calls: `callbackUrl`, `nextSession.url`, other servers. @module */

/** @returns null if the text is not the address of a server, or if it holds a user name or a password */
export function addressOf(url: string): URL | null {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isOfServer = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
  return isOfServer && parsed.username === '' && parsed.password === '' ? parsed : null
}
