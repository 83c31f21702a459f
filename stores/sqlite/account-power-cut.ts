/** Which commits of accounts a power cut must not take back. A sync to the disk takes 0.1 ms of processor time and 0.2 to 10 ms, and the process stands
 *  still meanwhile: hence of the five commits of a login only two are synced. What is lost with the others is asked for again. @module */
import { isSameBytes } from '../../crypto/bytes.ts'
import type { AccountRow } from '../account-store.ts'

/** An attempt that is forgotten is another guess at the PIN. A commitment that comes back could be answered twice, which reveals m_k. Whoever has heard of a
 *  registration, of a new PIN, of a new device key or of a deletion counts on it: a device key that is forgotten leaves an app that can log in no more.
 *  @param before as it is stored; null: none is
 *  @param after null: it is deleted */
export function mustSurvivePowerCut(before: AccountRow | null, after: AccountRow | null): boolean {
  if (before === null || after === null) return true
  const isCounted = after.attempts > before.attempts
  const isTaken = before.commitment !== null && after.commitment === null
  return isCounted || isTaken || !isSameRecord(before, after)
}

/** A record holds PIN, token id and device key. One that was sealed again differs, too, which costs a sync for each account and storage key. */
function isSameRecord({ record: before }: AccountRow, { record: after }: AccountRow): boolean {
  return before === null || after === null ? before === after : isSameBytes(before, after)
}
