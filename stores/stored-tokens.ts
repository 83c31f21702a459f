/** The tokens of a session in the columns and fields of every store (spec/decisions#tokens). The names and the form are those of the version before, which stored the
 *  tokens themselves: its rows are read, and its nodes read these rows. @module */
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

/** @param requestorTokenHash as its index has it; left out: the version before wrote the row */
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
