/** The proofs that the phone has sent, by the address of their session: the last step of the tour lays two of them side by side. A session
 *  server tells a requestor what was disclosed and keeps the proofs to itself, so that they are noted where they leave. @module */
import { LRUCache } from 'lru-cache'
import { readJson } from '../protocol/json.ts'

/** The most submissions; past it the oldest is forgotten. */
const MAX_KEPT = 200
const PATH = '/proofs'

export type Submissions = {
  /** calls that note what they send */
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
