/** Decides which commits of accounts must survive a power cut. A sync to the disk takes 0.1 ms of CPU time and blocks the process for 0.2 to 10 ms.
 *  So only two of the five commits of a login are synced; after a power cut the app repeats the others. @module */
import type { AccountRow } from '../account-store.ts'

/** A lost attempt would allow another guess of the PIN. A lost removal of a commitment would allow a second answer, which reveals m_k. A
 *  registration, a new PIN, a new device key or a deletion must last once it is confirmed: without its device key an app could never log in again.
 *  @param before the stored row; null: there is none
 *  @param after null: the row is deleted */
export function mustSurvivePowerCut(before: AccountRow | null, after: AccountRow | null): boolean {
  if (before === null || after === null) return true
  const isCounted = after.attempts > before.attempts
  const isTaken = before.commitment !== null && after.commitment === null
  return isCounted || isTaken || !isSameSecrets(before, after)
}

/** Each commit encrypts the record again, so records are not compared. A new PIN comes with a new token id. A device key is only added. */
function isSameSecrets(before: AccountRow, after: AccountRow): boolean {
  return before.tokenIdHash === after.tokenIdHash && isDeviceBound(before) === isDeviceBound(after)
}

function isDeviceBound({ snapshot }: AccountRow): boolean {
  return Object(snapshot?.context).isDeviceBound === true
}
