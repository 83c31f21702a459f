/** The events from outside and of effects that a session may get. @module */
import type { StampedEvent } from '../../machines/session.ts'

/** Events of a claim carry its number, that of the claim that a path makes, or of another one: of one before it, or of one after it that never was. */
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

/** One of each; those of another claim are of a later one where a check ends and of a former one elsewhere, so that each order of the numbers is seen. */
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
