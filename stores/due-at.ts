/** The next time at which a session needs work without a request: the one rule behind every index of deadlines. @module */
import type { SessionRow } from './session-store.ts'

/** During a claim the deadline does not count, only the lease of the claim. @returns Unix ms */
export function dueAt({ claim, deadlineAt }: Pick<SessionRow, 'claim' | 'deadlineAt'>): number {
  return claim === null ? deadlineAt : claim.leaseUntil
}
