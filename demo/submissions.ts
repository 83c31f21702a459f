/** The proofs that the phone has sent, by session address. The last step of the tour compares two of them. They are recorded when sent, because a session server
 *  gives a requestor only the disclosed attributes. @module */
import { LRUCache } from 'lru-cache'
import { readJson } from '../protocol/json.ts'

/** Maximum number of submissions; the oldest is evicted. */
const MAX_KEPT = 200
const PATH = '/proofs'

export type Submissions = {
  /** `fetch` that records submissions */
  readonly fetch: typeof fetch
  /** @param session address of a session, as in its pointer
   *  @returns the JSON that was sent there; undefined: nothing */
  of(session: string): unknown
}

export function noteSubmissions(send: typeof fetch): Submissions {
  const kept = new LRUCache<string, string>({ max: MAX_KEPT })
  return {
    fetch(input, init) {
      if (typeof input === 'string' && input.endsWith(PATH) && typeof init?.body === 'string')
        kept.set(input.slice(0, -PATH.length), init.body)
      return send(input, init)
    },
    of(session) {
      const body = kept.get(session)
      return body === undefined ? undefined : readJson(body)
    },
  }
}
