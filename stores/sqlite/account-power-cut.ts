/** Which commits of accounts a power cut must not take back. A sync to the disk takes 0.1 ms of processor time and 0.2 to 10 ms, and the process stands
 *  still meanwhile: hence of the five commits of a login only two are synced. What is lost with the others is asked for again. @module */
import type { AccountRow } from '../account-store.ts'

/** An attempt that is forgotten is another guess at the PIN. A commitment that comes back could be answered twice, which reveals m_k. Whoever has heard of a
 *  registration, of a new PIN or of a deletion counts on it.
 *  @param before as it is stored; null: none is
 *  @param after null: it is deleted */
export function mustSurvivePowerCut(before: AccountRow | null, after: AccountRow | null): boolean {
  if (before === null || after === null) return true
  const isCounted = after.attempts > before.attempts
  const isTaken = before.commitment !== null && after.commitment === null
  return isCounted || isTaken || after.tokenIdHash !== before.tokenIdHash
}
