/** The sessions of requestor tokens that a process has seen, each by the hash of its token: that never changes, and whether a session is there still is seen when it is
 *  loaded. @module */
import { LRUCache } from 'lru-cache'
import type { SessionId, SessionRow } from './session-store.ts'
import { hashOfToken } from './token-hash.ts'

/** The most requestor tokens whose session is known. */
const MAX_TOKENS = 10_000

type Owner = Pick<SessionRow, 'id' | 'requestorToken'>

export class KeptTokens {
  readonly #ids = new LRUCache<string, SessionId>({ max: MAX_TOKENS })

  /** The session of a requestor token, undefined: the store is to be asked. */
  idOf(token: string): SessionId | undefined {
    return this.#ids.get(hashOfToken(token))
  }

  keep({ id, requestorToken }: Owner): void {
    this.#ids.set(hashOfToken(requestorToken), id)
  }

  forget({ requestorToken }: Owner): void {
    this.#ids.delete(hashOfToken(requestorToken))
  }
}
