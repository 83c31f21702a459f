/** Answers that ask for a repeat of the same bytes: the server, or its proxy, does not know yet whether the call was done. @module */

/** A proxy answers 502 or 504 when its server broke the connection or gave no answer. */
const NOT_NOW: readonly number[] = [502, 503, 504]
const SECONDS = /^[1-9][0-9]{0,4}$/
/** The pause where the answer does not say how long it should be. */
const USUAL_PAUSE_MS = 2_000

/** @returns the pause before the repeat, as `Retry-After` says it in seconds; null: the answer is the answer */
export function repeatPauseMs({ status, headers }: Pick<Response, 'status' | 'headers'>): number | null {
  if (!NOT_NOW.includes(status)) return null
  const retryAfter = headers.get('Retry-After') ?? ''
  return SECONDS.test(retryAfter) ? Number(retryAfter) * 1_000 : USUAL_PAUSE_MS
}
