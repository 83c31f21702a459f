/** The events from outside and from effects that a session may receive. @module */
import type { StampedEvent } from '../../machines/session-events.ts'

/** The number of the claim in a path. Events of a claim carry this number, the number of an earlier claim, or that of a later claim that never existed. */
export const CLAIM = 2
const [FORMER_CLAIM, LATER_CLAIM] = [1, 3]

const OUTCOMES = [
  'server.askedNext',
  'server.signed',
  'server.failed',
  'claim.voided',
  'claim.renewed',
] as const

function outcomesOf(claim: number, at: number): readonly StampedEvent[] {
  return OUTCOMES.map(type => ({ type, claim, at }))
}

function checkedOf(claim: number, at: number): readonly StampedEvent[] {
  return [true, false].map(isValid => ({ type: 'server.checked', isValid, claim, at }))
}

/** One event of each kind. If it is of another claim, the end of a check has a later number, and every other event an earlier one: both orders are tried. */
export const eventsAt = (at: number): readonly StampedEvent[] => [
  { type: 'frontend.chose', method: 'pin', at },
  { type: 'frontend.chose', method: 'none', at },
  { type: 'frontend.paired', at },
  { type: 'app.connected', protocolVersion: '2.8', at },
  { type: 'app.fetched', at },
  { type: 'app.fetchedOnce', at },
  { type: 'app.failed', at },
  { type: 'app.submitted', claim: CLAIM, at },
  { type: 'cancelled', at },
  ...checkedOf(CLAIM, at),
  ...outcomesOf(CLAIM, at),
  ...checkedOf(LATER_CLAIM, at),
  ...outcomesOf(FORMER_CLAIM, at),
]
