/** A cache of the ids of sessions, by the hash of the requestor token. The mapping never changes; loading the session shows if it still exists.
 *  @module */
import { recentEntries } from '../ports/recent-entries.ts'
import type { SessionId, SessionRow } from './session-store.ts'
import { hashOfToken } from './token-hash.ts'

/** The maximum number of entries. */
const MAX_TOKENS = 10_000

type Owner = Pick<SessionRow, 'id' | 'requestorTokenHash'>

export class KeptTokens {
  readonly #ids = recentEntries<string, SessionId>(MAX_TOKENS)

  /** The session of a requestor token; undefined: the store must be asked. */
  idOf(token: string): SessionId | undefined {
    return this.#ids.get(hashOfToken(token))
  }

  keep({ id, requestorTokenHash }: Owner): void {
    this.#ids.set(requestorTokenHash, id)
  }

  forget({ requestorTokenHash }: Owner): void {
    this.#ids.delete(requestorTokenHash)
  }
}
