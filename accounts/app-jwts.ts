/** JWTs that a wallet app signs with its device key (spec/interface#5.4, spec/keyshare-server#3.5, #4, #6 and #10): only ES256 with a P-256 key. The
 *  signature is checked before the claims are used. The only exceptions are the user name, which finds the key, and the key in a self-signed JWT.
 *  @module */
import { InvalidRequestError } from '../protocol/errors.ts'
import { readPublicKey, readUserName } from '../protocol/keyshare/claims.ts'
import type { JsonObject } from '../protocol/shape.ts'
import { deviceKey } from './device-keys.ts'
import { timeOf, uncheckedClaims, verifiedClaims } from './signed-claims.ts'

/** The maximum lead of the `exp` in a login request. */
const MAX_START_SEC = 360

/** The user name in a JWT whose signature is not checked yet.
 *  @throws {InvalidRequestError} if the text is not a JWT */
export function userNameIn(jwt: string): string {
  return readUserName(uncheckedClaims(jwt))
}

/** @param registeredKey of the account, DER
 *  @throws {InvalidRequestError} if the device did not sign the JWT, or if it is not valid now */
export function appClaims(jwt: string, registeredKey: Uint8Array, nowSec: number): JsonObject {
  return verifiedClaims(jwt, deviceKey(registeredKey), { algorithm: 'ES256', nowSec })
}

/** Checks a login request, which may be used again until its `exp`.
 *  @param registeredKey as `appClaims`
 *  @throws {InvalidRequestError} as `appClaims`, and without an `exp` in the next six minutes */
export function checkLoginStart(jwt: string, registeredKey: Uint8Array, nowSec: number): void {
  const exp = timeOf(appClaims(jwt, registeredKey, nowSec), 'exp')
  if (exp === null || exp > nowSec + MAX_START_SEC)
    throw new InvalidRequestError(
      `JWT expiry may not be more than 6m0s from now: expected an exp of the next ${MAX_START_SEC} s, got ${exp === null ? 'none' : 'a later one'}`,
    )
}

export type SelfSigned = {
  readonly claims: JsonObject
  /** the key in the claims, which signed them: DER */
  readonly deviceKey: Uint8Array
}

/** Verifies a registration of an account or of its device key, which contains the key that signed it.
 *  @throws {InvalidRequestError} if it contains no key, if another key signed it, or if it is not valid now */
export function selfSignedClaims(jwt: string, nowSec: number): SelfSigned {
  const der = readPublicKey(uncheckedClaims(jwt))
  return { claims: appClaims(jwt, der, nowSec), deviceKey: der }
}
