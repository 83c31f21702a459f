/** The events from outside and of effects that a session may get. @module */
import type { StampedEvent } from '../../machines/session.ts'

/** Events of a claim carry its number: 1 is the one that a path makes, 2 one that never was. */
export const CLAIM = 1
export const OTHER_CLAIM = 2

const OUTCOMES = [
  'server.askedNext',
  'server.signed',
  'server.failed',
  'claim.voided',
  'claim.renewed',
] as const

/** One of each, for both claims. */
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
  ...[CLAIM, OTHER_CLAIM].flatMap(claim => [
    { type: 'server.checked', isValid: true, claim, at } as const,
    { type: 'server.checked', isValid: false, claim, at } as const,
    ...OUTCOMES.map(type => ({ type, claim, at })),
  ]),
]
