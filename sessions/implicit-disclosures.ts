/** Attributes that the sessions of a chain disclosed so far are disclosed again in each later session, with the same values. So one wallet performs
 *  the whole chain (spec/session-server#15 step 6). The app adds them by itself; the request that it receives does not list them. @module */
import type { Disjunction } from '../protocol/disjunction.ts'
import type { SessionOutcome } from './result.ts'

/** Makes one disjunction without a choice for each list of a valid session: requested, implicit and extra attributes alike. A null value accepts any
 *  value. */
export function implicitDisclosures(disclosed: SessionOutcome['disclosed'] = []): Disjunction[] {
  return disclosed.map(attributes => [
    (attributes ?? []).map(({ id, rawvalue }) => ({ type: id, value: rawvalue, notNull: false })),
  ])
}
