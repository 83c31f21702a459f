/** Checks the credentials of an issuance request against the schemes (spec/interface#2.5, spec/session-server#6.7 step 5): the signing key, the attributes
 *  and the validity of each. @module */
import { encodeMetadata, wholeWeeks } from '../crypto/metadata.ts'
import type { IssuerPublicKey } from '../crypto/public-key.ts'
import { InvalidRequestError } from '../protocol/errors.ts'
import { attributeNameOf, type CredentialTypeId, issuerOf } from '../protocol/ids.ts'
import type { CredentialRequest } from '../protocol/request-members.ts'
import type { CredentialType, Schemes } from '../schemes/types.ts'
import { type LongValues, requireShortValues } from './hashed-values.ts'

const DEFAULT_VALIDITY_MONTHS = 6

export type Issuer = {
  readonly schemes: Schemes
  readonly nowSec: number
  /** true if this server can issue credentials of a type that supports revocation */
  readonly canIssueRevocable: (type: CredentialTypeId) => boolean
  readonly longValues: LongValues
}

/** Fills in the key, the validity and the names of random blind attributes.
 *  @param request of a known type, with all required attributes and no unknown ones
 *  @throws {InvalidRequestError} */
export function prepareCredential(
  request: CredentialRequest,
  { schemes, nowSec, canIssueRevocable, longValues }: Issuer,
): CredentialRequest {
  const type = schemes.credentialType(request.credential)
  if (type === undefined) throw new InvalidRequestError(`Unknown identifiers: ${request.credential}`)
  const key = latestKey(request, schemes, nowSec)
  const keyCounter = key.counter
  if (type.supportsRevocation) checkRevocable(request, key, canIssueRevocable)
  checkGiven(request, type)
  if (longValues === 'refuse') requireShortValues(request, key)
  const validityAtSec = request.validityAtSec ?? monthsAfter(nowSec, DEFAULT_VALIDITY_MONTHS)
  checkValidity(request, validityAtSec, nowSec)
  return { ...request, keyCounter, validityAtSec, randomBlindIds: randomBlindIds(type) }
}

/** The key that will sign; the counter of the requestor is ignored (spec/session-server#q10). */
function latestKey({ credential }: CredentialRequest, schemes: Schemes, nowSec: number): IssuerPublicKey {
  const issuer = issuerOf(credential)
  const counter = schemes.latestPrivateKey(issuer)?.counter
  if (counter === undefined)
    throw new InvalidRequestError(
      `issuer private key not found: ${credential}: expected one of ${issuer}, got none`,
    )
  const key = schemes.publicKey(issuer, counter)
  if (key === undefined)
    throw new InvalidRequestError(
      `missing public key of issuer ${issuer}: expected number ${counter}, got none`,
    )
  if (nowSec > key.expiresAtSec)
    throw new InvalidRequestError(`cannot issue using expired public key ${issuer}-${counter}`)
  return key
}

/** Refuses a revocable credential that this server could never revoke. */
function checkRevocable(
  { credential, revocationKey }: CredentialRequest,
  key: IssuerPublicKey,
  canIssueRevocable: Issuer['canIssueRevocable'],
): void {
  const why = `revocation enabled for ${credential} but`
  if (!canIssueRevocable(credential)) throw new InvalidRequestError(`${why} no revocation server configured`)
  if (revocationKey === '') throw new InvalidRequestError(`${why} no revocationKey specified`)
  if (key.revocation === undefined)
    throw new InvalidRequestError(`${why} key ${issuerOf(credential)}-${key.counter} does not support it`)
}

/** Refuses values that a requestor cannot choose: random blind and revocation attributes. */
function checkGiven({ attributes, credential }: CredentialRequest, type: CredentialType): void {
  for (const { id, isRandomBlind, isRevocation } of type.attributes) {
    if (!Object.hasOwn(attributes, attributeNameOf(id))) continue
    const kind = isRandomBlind ? 'randomblind' : isRevocation ? 'revocation' : null
    if (kind !== null)
      throw new InvalidRequestError(`${kind} attribute cannot be set in credential request: ${credential}`)
  }
}

/** The credential expires at the rounded time (spec/interface#2.5), which must be in the future. It may be later than the expiry of the key, but the metadata
 *  attribute must be able to hold it. */
function checkValidity({ credential }: CredentialRequest, validityAtSec: number, nowSec: number): void {
  if (wholeWeeks(validityAtSec) <= nowSec)
    throw new InvalidRequestError(
      `cannot issue expired credentials: ${credential}: expected a validity that is in the future when it is rounded down to a week (604800 s), got ${wholeWeeks(validityAtSec)}`,
    )
  try {
    encodeMetadata({
      issuedAtSec: nowSec,
      expiresAtSec: validityAtSec,
      keyCounter: 0,
      credentialType: credential,
    })
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new InvalidRequestError(`validity of ${credential}: ${cause.message}`, { cause })
  }
}

/** Calendar months in UTC; a day that the month does not have overflows into the next month. */
function monthsAfter(atSec: number, months: number): number {
  const date = new Date(atSec * 1000)
  date.setUTCMonth(date.getUTCMonth() + months)
  return Math.floor(date.getTime() / 1000)
}

/** For each random blind attribute the name of the attribute after it, none for the last. Apps compute and compare these names (spec/session-server#q11). */
function randomBlindIds({ attributes }: CredentialType): string[] {
  return attributes.flatMap(({ isRandomBlind }, position) => {
    const next = attributes[position + 1]
    return isRandomBlind && next !== undefined ? [attributeNameOf(next.id)] : []
  })
}
