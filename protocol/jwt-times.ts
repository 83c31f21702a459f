/** Times in JWTs (`exp`, `iat`, `nbf`), in Unix seconds. A JWT is accepted if the signer's clock differs by a few seconds. @module */

/** Maximum difference between the two clocks. */
export const JWT_LEEWAY_SEC = 10

/** @param at `iat` or `nbf` */
export function isOfFuture(at: number, nowSec: number): boolean {
  return at > nowSec + JWT_LEEWAY_SEC
}

export function isExpired(exp: number, nowSec: number): boolean {
  return exp <= nowSec - JWT_LEEWAY_SEC
}
