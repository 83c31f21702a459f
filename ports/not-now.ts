/** Answers that ask for a repetition of the same request: the server or its proxy does not know if the call was done. @module */

/** A proxy answers 502 or 504 if its server closed the connection or did not answer. */
const NOT_NOW: readonly number[] = [502, 503, 504]
const SECONDS = /^[1-9][0-9]{0,4}$/
/** The pause if the answer has no usable `Retry-After`. */
const USUAL_PAUSE_MS = 2_000

/** @returns the pause before the repetition, from `Retry-After` in seconds; null: the answer is final */
export function repeatPauseMs({ status, headers }: Pick<Response, 'status' | 'headers'>): number | null {
  if (!NOT_NOW.includes(status)) return null
  const retryAfter = headers.get('Retry-After') ?? ''
  return SECONDS.test(retryAfter) ? Number(retryAfter) * 1_000 : USUAL_PAUSE_MS
}
