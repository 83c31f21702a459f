/** Addresses that this server calls, or sends results to: `callbackUrl`, `nextSession.url`, other servers. @module */

/** @returns null for what is no address of a server, or has a user's name or password in it */
export function addressOf(url: string): URL | null {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isOfServer = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
  return isOfServer && parsed.username === '' && parsed.password === '' ? parsed : null
}
