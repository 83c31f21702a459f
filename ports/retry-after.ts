/** The header `Retry-After` of an answer (RFC 9110, 10.2.3): seconds, or an HTTP date. @module */

const SECONDS = /^\d+$/
/** An upper bound that is longer than any caller waits. */
const MOST_SEC = 10_000_000_000
/** The three forms of RFC 9110, 5.6.7; the last one has no time zone. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w :-]+$/

/** @param text value of the header; null: the header is missing
 *  @param wallNow Unix ms of the system clock
 *  @returns how long to wait before the next call, ms; 0 if the text cannot be parsed */
export function retryAfterMs(text: string | null, wallNow: number): number {
  const said = text?.trim() ?? ''
  if (SECONDS.test(said)) return Math.min(Number(said), MOST_SEC) * 1_000
  if (!DATE.test(said)) return 0
  const at = Date.parse(said.endsWith('GMT') ? said : `${said} GMT`)
  return Number.isNaN(at) ? 0 : Math.max(0, at - wallNow)
}
