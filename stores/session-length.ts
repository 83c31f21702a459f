/** The length of a session, for limits of caches. @module */
import type { SessionRow } from './session-store.ts'

/** The number of characters in the columns that may be long. */
export function lengthOf({
  request,
  claimedBody,
  progress,
  sentUpdates,
  result,
  answered,
}: SessionRow): number {
  const texts = [request.text, claimedBody, progress, sentUpdates?.text, result?.text, answered?.answer.body]
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
}
