/** JWTs that a wallet app signs with the key of its device (spec 5.4, `spec/keyshare-server.md` 3.5, 4, 6 and 10): ES256 and a P-256 key, nothing else. No claim
 *  is looked at before the signature was checked, but for the name of the user, by which the key is found, and a key that signs itself. @module */
import { InvalidRequest } from '../protocol/errors.ts'
import { readPublicKey, readUserName } from '../protocol/keyshare/claims.ts'
import type { JsonObject } from '../protocol/shape.ts'
import { deviceKey } from './device-keys.ts'
import { timeOf, uncheckedClaims, verifiedClaims } from './signed-claims.ts'

/** How far ahead the `exp` of a request to log in may be. */
const MAX_START_SEC = 360

/** The user that a JWT names, before anybody has checked it.
 *  @throws {InvalidRequest} if it is no JWT */
export function userNameIn(jwt: string): string {
  return readUserName(uncheckedClaims(jwt))
}

/** @param registeredKey of the account: DER
 *  @throws {InvalidRequest} if the device has not signed it, or not for now */
export function appClaims(jwt: string, registeredKey: Uint8Array, nowSec: number): JsonObject {
  return verifiedClaims(jwt, deviceKey(registeredKey), { algorithm: 'ES256', nowSec })
}

/** A request to log in, which may be used again until its `exp`.
 *  @param registeredKey as `appClaims`
 *  @throws {InvalidRequest} as `appClaims`, and without an `exp` in the next six minutes */
export function checkLoginStart(jwt: string, registeredKey: Uint8Array, nowSec: number): void {
  const exp = timeOf(appClaims(jwt, registeredKey, nowSec), 'exp')
  if (exp === null || exp > nowSec + MAX_START_SEC)
    throw new InvalidRequest(
      `JWT expiry may not be more than 6m0s from now: expected an exp of the next ${MAX_START_SEC} s, got ${exp === null ? 'none' : 'a later one'}`,
    )
}

export type SelfSigned = {
  readonly claims: JsonObject
  /** the key in the claims, which signed them: DER */
  readonly deviceKey: Uint8Array
}

/** A registration, of an account or of its device key: it holds the key that signed it.
 *  @throws {InvalidRequest} if it holds none, or another key signed it, or not for now */
export function selfSignedClaims(jwt: string, nowSec: number): SelfSigned {
  const der = readPublicKey(uncheckedClaims(jwt))
  return { claims: appClaims(jwt, der, nowSec), deviceKey: der }
}
