/** The tokens of a session in the columns and fields of every store (spec/decisions#tokens). The names and the form are those of version 0.1.0, which stored
 *  the tokens themselves. So each of the two versions reads the rows of the other. @module */
import type { SessionColumns } from './session-store.ts'
import { hashOfToken } from './token-hash.ts'

type Tokens = Pick<SessionColumns, 'requestorTokenHash' | 'frontendTokenHash' | 'sentToken'>

export type StoredTokens = {
  /** always empty */
  readonly clientToken: string
  /** empty: the server sends it nowhere */
  readonly requestorToken: string
  /** `HASH` and the hash */
  readonly frontendToken: string
}

/** No token begins with it. */
const HASH = 'sha256:'

export function storedTokens({ frontendTokenHash, sentToken }: Tokens): StoredTokens {
  return { clientToken: '', requestorToken: sentToken ?? '', frontendToken: `${HASH}${frontendTokenHash}` }
}

/** @param requestorTokenHash as it is stored beside the tokens; left out: version 0.1.0 wrote the row, which has the token itself */
export function restoreTokens(
  { requestorToken, frontendToken }: StoredTokens,
  requestorTokenHash = hashOfToken(requestorToken),
): Tokens {
  return {
    requestorTokenHash,
    frontendTokenHash: frontendToken.startsWith(HASH)
      ? frontendToken.slice(HASH.length)
      : hashOfToken(frontendToken),
    sentToken: requestorToken === '' ? null : requestorToken,
  }
}
