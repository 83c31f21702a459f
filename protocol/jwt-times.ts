/** Times in JWTs (`exp`, `iat`, `nbf`), in Unix seconds. The clock of a signer is seldom ours: a few seconds between the two refuse no JWT. @module */

/** The most by which both clocks may differ. */
export const JWT_LEEWAY_SEC = 10

/** @param at `iat` or `nbf` */
export function isOfFuture(at: number, nowSec: number): boolean {
  return at > nowSec + JWT_LEEWAY_SEC
}

export function isExpired(exp: number, nowSec: number): boolean {
  return exp <= nowSec - JWT_LEEWAY_SEC
}
