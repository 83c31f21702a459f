/** The headers that authenticate a wallet app after login (spec/keyshare-server#2.5, spec/decisions#k6). @module */

/** Headers of a request. Null: the header was absent or empty, as apps send it before their first login. */
export type Credentials = {
  readonly userName: string | null
  /** the authentication JWT, not checked yet; secret */
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
