/** What the sessions of a chain disclosed so far is disclosed again in each session after them, with the same values: so one wallet performs them
 *  all (`spec/session-server.md` 15 step 6). The app does it unasked; no request that is sent to it says so. @module */
import type { Disjunction } from '../protocol/disjunction.ts'
import type { Outcome } from './result.ts'

/** One disjunction, without a choice, for each list of a session that was valid: requested, implicit and extra alike. A null value asks for any. */
export function implicitDisclosures(disclosed: Outcome['disclosed'] = []): Disjunction[] {
  return disclosed.map(attributes => [
    (attributes ?? []).map(({ id, rawvalue }) => ({ type: id, value: rawvalue, notNull: false })),
  ])
}
