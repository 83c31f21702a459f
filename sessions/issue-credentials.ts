/** Turns verified commitments into the credentials to sign (spec/cryptography#5.3, #9.3, #13): the key of the issuer and the attributes of each.
 *  `crypto` does the signing. @module */
import { encodeAttribute } from '../crypto/attribute.ts'
import type { CredentialToSign } from '../crypto/issuance.ts'
import { decodeMetadata, encodeMetadata, wholeWeeks } from '../crypto/metadata.ts'
import { type IssuerPrivateKey, type IssuerPublicKey, systemParameters } from '../crypto/public-key.ts'
import type { Witness } from '../crypto/revocation/witness.ts'
import { IssuanceFailedError } from '../protocol/errors.ts'
import { attributeNameOf, type CredentialTypeId, issuerOf } from '../protocol/ids.ts'
import type { IssuanceRequest } from '../protocol/request.ts'
import type { CredentialRequest } from '../protocol/request-members.ts'
import type { AttributeType, CredentialType, Schemes } from '../schemes/types.ts'
import { CONTEXT } from './check-disclosure.ts'
import type { IssuableCommitments } from './checked-submission.ts'
import { FIRST_ATTRIBUTE } from './disclosed.ts'

type Issuer = { readonly schemes: Schemes; readonly nowSec: number }

export type IssuanceToSign = Issuer & {
  readonly request: IssuanceRequest
  readonly commitments: IssuableCommitments
  /** by credential; null where `witnessesToIssue` returns null */
  readonly witnesses: readonly (Witness | null)[]
}

/** Facts for making one witness. */
export type WitnessToIssue = {
  readonly type: CredentialTypeId
  readonly keyCounter: number
  /** the key that revokes the credential; personal */
  readonly revocationKey: string
  readonly issuedAtSec: number
  /** end of the validity, as written in the credential */
  readonly validUntilSec: number
}

/** By credential of the request, the facts for its witness (spec/cryptography#14.3); null: its type does not support revocation.
 *  @throws {IssuanceFailedError} if a credential cannot be issued, or can no longer be issued; no witness is made then */
export function witnessesToIssue({
  request,
  ...issuer
}: Issuer & { readonly request: IssuanceRequest }): (WitnessToIssue | null)[] {
  return request.credentials.map(credential => {
    const { type, key } = issuedType(credential, issuer.schemes)
    privateKeyOf(credential, key, issuer)
    const { expiresAtSec } = decodeMetadata(metadataOf(credential, issuer.nowSec))
    if (!type.supportsRevocation) return null
    const { keyCounter, revocationKey } = credential
    return {
      type: type.id,
      keyCounter,
      revocationKey,
      issuedAtSec: issuer.nowSec,
      validUntilSec: expiresAtSec,
    }
  })
}

/** By credential of the request. Secret. */
export type CredentialsToSign = {
  readonly toSign: readonly CredentialToSign[]
  /** the issuer's shares of random blind attributes, by base index */
  readonly shares: readonly ReadonlyMap<number, bigint>[]
}

/** Uniform in [0, 2^bits), fresh; secret until it is sent. */
type Share = (bits: number) => bigint

/** @throws {IssuanceFailedError} if a credential cannot be issued, or can no longer be issued */
export function credentialsToSign(
  { request, commitments: { n2, U }, witnesses, ...issuer }: IssuanceToSign,
  share: Share,
): CredentialsToSign {
  const signed = request.credentials.map((credential, i) => {
    const committed = U[i]
    if (committed === undefined)
      throw new IssuanceFailedError(`commitments: expected ${request.credentials.length}, got ${U.length}`)
    const { shares, ...rest } = attributesToSign(credential, issuer, witnesses[i] ?? null, share)
    return { toSign: { ...rest, U: committed, context: CONTEXT, n2 }, shares }
  })
  return { toSign: signed.map(({ toSign }) => toSign), shares: signed.map(({ shares }) => shares) }
}

type AttributesToSign = Pick<CredentialToSign, 'key' | 'privateKey' | 'attributes'> & {
  readonly shares: ReadonlyMap<number, bigint>
}

function attributesToSign(
  credential: CredentialRequest,
  issuer: Issuer,
  witness: Witness | null,
  share: Share,
): AttributesToSign {
  const { type, key } = issuedType(credential, issuer.schemes)
  const privateKey = privateKeyOf(credential, key, issuer)
  const { Lm } = systemParameters(key.n)
  const shares = new Map(randomBlindIndices(type).map(index => [index, share(Lm - 1)]))
  const values = type.attributes.map(
    (attribute, i) => shares.get(i + FIRST_ATTRIBUTE) ?? attributeValue(attribute, credential, witness),
  )
  return { key, privateKey, attributes: [metadataOf(credential, issuer.nowSec), ...values], shares }
}

/** Base indices of the attributes whose value the issuer and the user choose together. */
export function randomBlindIndices({ attributes }: CredentialType): number[] {
  return attributes.flatMap(({ isRandomBlind }, i) => (isRandomBlind ? [i + FIRST_ATTRIBUTE] : []))
}

/** The credential type that is issued, and the public key for commitments to it.
 *  @throws {IssuanceFailedError} if the schemes no longer have them */
export function issuedType(
  { credential, keyCounter }: CredentialRequest,
  schemes: Schemes,
): { readonly type: CredentialType; readonly key: IssuerPublicKey } {
  const type = schemes.credentialType(credential)
  const key = schemes.publicKey(issuerOf(credential), keyCounter)
  if (type === undefined) throw new IssuanceFailedError(`unknown credential type ${credential}`)
  if (key === undefined)
    throw new IssuanceFailedError(`missing public key ${issuerOf(credential)}-${keyCounter}`)
  return { type, key }
}

/** The private key of the credential request.
 *  @throws {IssuanceFailedError} if the key is missing or has expired */
function privateKeyOf(
  { credential, keyCounter }: CredentialRequest,
  { expiresAtSec }: IssuerPublicKey,
  { schemes, nowSec }: Issuer,
): IssuerPrivateKey {
  const issuer = issuerOf(credential)
  const privateKey = schemes.privateKey(issuer, keyCounter)
  if (privateKey === undefined)
    throw new IssuanceFailedError(`issuer private key not found: ${issuer}-${keyCounter}`)
  if (nowSec > expiresAtSec)
    throw new IssuanceFailedError(`cannot issue using expired public key ${issuer}-${keyCounter}`)
  return privateKey
}

/** Dates in whole weeks, version 3. Every wallet computes the same attribute by itself, so the rounding must be the same.
 *  @throws {IssuanceFailedError} if the validity ended since the session began, or is too far away for the metadata */
function metadataOf({ credential, keyCounter, validityAtSec }: CredentialRequest, nowSec: number): bigint {
  if (validityAtSec === null || wholeWeeks(validityAtSec) <= nowSec)
    throw new IssuanceFailedError(`cannot issue expired credentials: ${credential}`)
  try {
    return encodeMetadata({
      issuedAtSec: nowSec,
      expiresAtSec: validityAtSec,
      keyCounter,
      credentialType: credential,
    })
  } catch (cause) {
    if (cause instanceof RangeError) throw new IssuanceFailedError(cause.message, { cause })
    throw cause
  }
}

function attributeValue(
  { id, isOptional, isRevocation }: AttributeType,
  request: CredentialRequest,
  witness: Witness | null,
): bigint {
  if (isRevocation && witness === null)
    throw new IssuanceFailedError(`${request.credential}: expected a witness, got none`)
  if (isRevocation && witness !== null) return witness.e
  const name = attributeNameOf(id)
  const text = Object.hasOwn(request.attributes, name) ? request.attributes[name] : undefined
  if (text === undefined && !isOptional) throw new IssuanceFailedError(`required attribute missing: ${id}`)
  return encodeAttribute(text ?? null)
}
