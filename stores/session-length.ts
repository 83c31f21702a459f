/** How long a session is, for bounds of what is kept. @module */
import type { SessionRow } from './session-store.ts'

/** The characters of the columns of a session that may be long. */
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
