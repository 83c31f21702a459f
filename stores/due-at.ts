/** When time alone next causes something in a session: the one rule behind every index of deadlines. @module */
import type { SessionRow } from './session-store.ts'

/** While a claim stands no deadline runs, but the claim's lease does. @returns Unix ms */
export function dueAt({ claim, deadlineAt }: Pick<SessionRow, 'claim' | 'deadlineAt'>): number {
  return claim === null ? deadlineAt : claim.leaseUntil
}
