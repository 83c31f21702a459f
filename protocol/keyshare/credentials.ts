/** The headers by which a wallet app shows that it has logged in (`spec/keyshare-server.md` 2.5, K6). @module */

/** null: the header was absent or empty, as apps send it before their first login. */
export type Credentials = {
  readonly userName: string | null
  /** the authentication JWT, not checked; secret */
  readonly jwt: string | null
}

const SCHEME_WORD = 'Bearer '

/** @param authorization the JWT, bare or after `Bearer `; the name of the other header follows the profile */
export function readCredentials(
  authorization: string | undefined,
  userName: string | undefined,
): Credentials {
  const jwt = authorization?.startsWith(SCHEME_WORD) ? authorization.slice(SCHEME_WORD.length) : authorization
  return { userName: userName || null, jwt: jwt || null }
}
