/** The header `Retry-After` of an answer (RFC 9110, 10.2.3): seconds, or a date of HTTP. @module */

const SECONDS = /^\d+$/
/** Longer than any caller waits. */
const MOST_SEC = 10_000_000_000
/** The three forms of RFC 9110, 5.6.7, the last of which names no zone. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w :-]+$/

/** @param text of the header; null: it is not there
 *  @param wallNow Unix ms by the clock of the system
 *  @returns how long no other call should come, ms; 0 where it says nothing that can be read */
export function retryAfterMs(text: string | null, wallNow: number): number {
  const said = text?.trim() ?? ''
  if (SECONDS.test(said)) return Math.min(Number(said), MOST_SEC) * 1_000
  if (!DATE.test(said)) return 0
  const at = Date.parse(said.endsWith('GMT') ? said : `${said} GMT`)
  return Number.isNaN(at) ? 0 : Math.max(0, at - wallNow)
}
