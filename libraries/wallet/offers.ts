/** The offers of an issuance (spec/interface#2.5; spec/cryptography#9.3, #13), checked against the schemes before the user is asked. An offer is refused here if it
 *  cannot become a credential of its type, or if its key may no longer sign. @module */
import { encodeAttribute } from '../../crypto/attribute.ts'
import { wholeWeeks } from '../../crypto/metadata.ts'
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import { type AttributeTypeId, attributeNameOf, type CredentialTypeId, issuerOf } from '../../protocol/ids.ts'
import type { CredentialRequest } from '../../protocol/request-members.ts'
import { revocationIndexOf } from '../../schemes/base-indices.ts'
import type { AttributeType, CredentialType, Schemes } from '../../schemes/types.ts'
import { SessionError } from './failure.ts'

const WEEK_SEC = 604_800
/** Maximum validity: metadata has two bytes for the number of weeks. */
const MAX_VALIDITY_SEC = 0xfff0 * WEEK_SEC
/** The base index of the first attribute, after those of the secret key and the metadata. */
const FIRST_ATTRIBUTE = 2

/** An offered credential, as shown to the user. */
export type OfferedCredential = {
  readonly type: CredentialTypeId
  /** in the order of the credential type, without its revocation attribute */
  readonly attributes: readonly OfferedAttribute[]
  /** rounded to whole weeks */
  readonly expiresAtSec: number
  /** true if its issuer can revoke it */
  readonly isRevocable: boolean
  /** number of SD-JWTs that are issued beside it; left out: none */
  readonly sdJwts?: number
}

export type OfferedAttribute = {
  readonly id: AttributeTypeId
  /** null: issued as absent, or not known yet */
  readonly value: string | null
  /** issuer and wallet choose the value together */
  readonly isRandomBlind: boolean
}

/** A valid offer. */
export type Offer = {
  readonly view: OfferedCredential
  readonly type: CredentialType
  readonly key: IssuerPublicKey
  /** as received: some servers round it, for others the app must */
  readonly validityAtSec: number
  /** from base index 2 on, as signed; null: random blind, or determined by the witness */
  readonly values: readonly (bigint | null)[]
  /** base indices, ascending */
  readonly randomBlind: readonly number[]
  /** base index of the attribute that the witness determines; null: the credential cannot be revoked */
  readonly revocationIndex: number | null
}

/** An offered credential as received from the server. */
export type OfferRequest = CredentialRequest & {
  /** the issuer supports revocation for it, if its type allows that */
  readonly revocationSupported: boolean
}

/** @throws {SessionError} `bad-offer` */
export function readOffers(requests: readonly OfferRequest[], schemes: Schemes, nowSec: number): Offer[] {
  return requests.map(request => readOffer(request, schemes, nowSec))
}

function readOffer(request: OfferRequest, schemes: Schemes, nowSec: number): Offer {
  const id = request.credential
  const type = schemes.credentialType(id)
  if (!type) throw badOffer(`${id}: expected a credential type of the schemes`)
  const key = schemes.publicKey(issuerOf(id), request.keyCounter)
  if (!key) throw badOffer(`${id}: expected a key of its issuer, got number ${request.keyCounter}`)
  if (key.expiresAtSec < nowSec) throw badOffer(`${id}: expected an issuer key that has not expired`)
  if (key.R.length < type.attributes.length + FIRST_ATTRIBUTE)
    throw badOffer(`${id}: expected an issuer key for ${type.attributes.length} attributes`)
  checkNames(type, request)
  const validityAtSec = validityOf(request, nowSec)
  const revocationIndex = request.revocationSupported ? revocationIndexOf(type) : null
  if (revocationIndex !== null && !key.revocation)
    throw badOffer(`${id}: expected an issuer key that supports revocation`)
  return {
    view: viewOf(type, request, validityAtSec, revocationIndex !== null),
    type,
    key,
    validityAtSec,
    values: type.attributes.map(attribute => encodedValue(attribute, request)),
    randomBlind: randomBlindOf(type).map(position => position + FIRST_ATTRIBUTE),
    revocationIndex,
  }
}

function badOffer(message: string): SessionError {
  return new SessionError('bad-offer', `offered credential: ${message}`)
}

/** Checks the names of attributes, and the list of random blind attributes, which both sides compute (spec/cryptography#13). */
function checkNames(type: CredentialType, { attributes, randomBlindIds }: CredentialRequest): void {
  const names = new Set(type.attributes.map(({ id }) => attributeNameOf(id)))
  const unknown = Object.keys(attributes).filter(name => !names.has(name)).length
  if (unknown > 0) throw badOffer(`${type.id}: expected attributes of the type, got ${unknown} others`)
  // the attribute after each random blind one: every server and app computes the list in this way
  const expected = randomBlindOf(type).flatMap(position => type.attributes[position + 1]?.id ?? [])
  const isSame =
    expected.length === randomBlindIds.length &&
    expected.every((id, i) => attributeNameOf(id) === randomBlindIds[i])
  if (!isSame) throw badOffer(`${type.id}: expected the names of its random blind attributes`)
}

function randomBlindOf({ attributes }: CredentialType): number[] {
  return attributes.flatMap(({ isRandomBlind }, position) => (isRandomBlind ? [position] : []))
}

function validityOf({ credential, validityAtSec }: CredentialRequest, nowSec: number): number {
  const isRight =
    validityAtSec !== null && validityAtSec > nowSec && validityAtSec < nowSec + MAX_VALIDITY_SEC
  if (!isRight) throw badOffer(`${credential}: expected a validity that ends in the future`)
  return validityAtSec
}

function encodedValue(
  { id, isOptional, isRandomBlind, isRevocation }: AttributeType,
  { attributes, revocationSupported }: OfferRequest,
): bigint | null {
  const value = attributes[attributeNameOf(id)] ?? null
  const isChosen = isRandomBlind || isRevocation
  if (isChosen && value !== null) throw badOffer(`${id}: expected no value`)
  if (isRandomBlind) return null
  if (isRevocation) return revocationSupported ? null : 0n // 0: the type supports revocation, this instance does not (spec/cryptography#5.2)
  if (value === null && !isOptional) throw badOffer(`${id}: expected a value`)
  return encodeAttribute(value)
}

function viewOf(
  type: CredentialType,
  { attributes, sdJwtBatchSize }: CredentialRequest,
  validityAtSec: number,
  isRevocable: boolean,
): OfferedCredential {
  return {
    type: type.id,
    attributes: type.attributes
      .filter(({ isRevocation }) => !isRevocation)
      .map(({ id, isRandomBlind }) => ({
        id,
        value: attributes[attributeNameOf(id)] ?? null,
        isRandomBlind,
      })),
    expiresAtSec: wholeWeeks(validityAtSec),
    isRevocable,
    ...(sdJwtBatchSize && { sdJwts: sdJwtBatchSize }),
  }
}
