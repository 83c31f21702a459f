/** Recorded flows that are not replayed yet, because the server does not serve their sessions. @module */

const LATER: readonly RegExp[] = [
  /signature/,
  /issuance|issuer-errors|combined|invalid-commitments/,
  /chained-|auth-|host-check|bare-server/,
  /result-forms|errors-(app|create|requestor)|timeout|version-2.4/,
  /cancel-by-app|pairing-race|proof-status|retry-cache/,
]

export function isLater(file: string): boolean {
  return LATER.some(pattern => pattern.test(file))
}
