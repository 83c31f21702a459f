/** From commitments that were verified to what is signed over them (`spec/cryptography.md` 5.3, 9.3, 13): the issuer's key and the attributes of
 *  each credential. The signing itself is the work of `crypto`. @module */
import { encodeAttribute } from '../crypto/attribute.ts'
import type { CredentialToSign } from '../crypto/issuance.ts'
import { decodeMetadata, encodeMetadata, wholeWeeks } from '../crypto/metadata.ts'
import { type IssuerPrivateKey, type IssuerPublicKey, systemParameters } from '../crypto/public-key.ts'
import type { Witness } from '../crypto/revocation/witness.ts'
import { IssuanceFailed } from '../protocol/errors.ts'
import { attributeNameOf, type CredentialTypeId, issuerOf } from '../protocol/ids.ts'
import type { IssuanceRequest } from '../protocol/request.ts'
import type { CredentialRequest } from '../protocol/request-members.ts'
import type { AttributeType, CredentialType, Schemes } from '../schemes/types.ts'
import { CONTEXT } from './check-disclosure.ts'
import type { IssuableCommitments } from './checked.ts'
import { FIRST_ATTRIBUTE } from './disclosed.ts'

type Issuer = { readonly schemes: Schemes; readonly nowSec: number }

export type IssuanceToSign = Issuer & {
  readonly request: IssuanceRequest
  readonly commitments: IssuableCommitments
  /** by credential; null where `witnessesToIssue` says so */
  readonly witnesses: readonly (Witness | null)[]
}

/** What a witness is for. */
export type WitnessToIssue = {
  readonly type: CredentialTypeId
  readonly keyCounter: number
  /** under which the credential can be revoked; personal */
  readonly revocationKey: string
  readonly issuedAtSec: number
  /** end of the validity, as the credential will say it */
  readonly validUntilSec: number
}

/** By credential of the request what it needs a witness for (`spec/cryptography.md` 14.3); null: its type does not support revocation.
 *  @throws {IssuanceFailed} for what cannot be issued, or not any more: no witness is made for it */
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

/** @throws {IssuanceFailed} for what cannot be issued, or not any more */
export function credentialsToSign(
  { request, commitments: { n2, U }, witnesses, ...issuer }: IssuanceToSign,
  share: Share,
): CredentialsToSign {
  const signed = request.credentials.map((credential, i) => {
    const committed = U[i]
    if (committed === undefined)
      throw new IssuanceFailed(`commitments: expected ${request.credentials.length}, got ${U.length}`)
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

/** Base indices of the attributes whose value issuer and user choose together. */
export function randomBlindIndices({ attributes }: CredentialType): number[] {
  return attributes.flatMap(({ isRandomBlind }, i) => (isRandomBlind ? [i + FIRST_ATTRIBUTE] : []))
}

/** What is issued, and the key that a commitment to it is made under.
 *  @throws {IssuanceFailed} if the schemes do not have them any more */
export function issuedType(
  { credential, keyCounter }: CredentialRequest,
  schemes: Schemes,
): { readonly type: CredentialType; readonly key: IssuerPublicKey } {
  const type = schemes.credentialType(credential)
  const key = schemes.publicKey(issuerOf(credential), keyCounter)
  if (type === undefined) throw new IssuanceFailed(`unknown credential type ${credential}`)
  if (key === undefined) throw new IssuanceFailed(`missing public key ${issuerOf(credential)}-${keyCounter}`)
  return { type, key }
}

/** The key of the credential request, as long as it may sign.
 *  @throws {IssuanceFailed} */
function privateKeyOf(
  { credential, keyCounter }: CredentialRequest,
  { expiresAtSec }: IssuerPublicKey,
  { schemes, nowSec }: Issuer,
): IssuerPrivateKey {
  const issuer = issuerOf(credential)
  const privateKey = schemes.privateKey(issuer, keyCounter)
  if (privateKey === undefined)
    throw new IssuanceFailed(`issuer private key not found: ${issuer}-${keyCounter}`)
  if (nowSec > expiresAtSec)
    throw new IssuanceFailed(`cannot issue using expired public key ${issuer}-${keyCounter}`)
  return privateKey
}

/** Dates in whole weeks, version 3: so says every wallet that makes the same attribute by itself.
 *  @throws {IssuanceFailed} for a validity that has passed since the session began, or is so far away that metadata cannot say it */
function metadataOf({ credential, keyCounter, validityAtSec }: CredentialRequest, nowSec: number): bigint {
  if (validityAtSec === null || wholeWeeks(validityAtSec) <= nowSec)
    throw new IssuanceFailed(`cannot issue expired credentials: ${credential}`)
  try {
    return encodeMetadata({
      issuedAtSec: nowSec,
      expiresAtSec: validityAtSec,
      keyCounter,
      credentialType: credential,
    })
  } catch (cause) {
    if (cause instanceof RangeError) throw new IssuanceFailed(cause.message, { cause })
    throw cause
  }
}

function attributeValue(
  { id, isOptional, isRevocation }: AttributeType,
  request: CredentialRequest,
  witness: Witness | null,
): bigint {
  if (isRevocation && witness === null)
    throw new IssuanceFailed(`${request.credential}: expected a witness, got none`)
  if (isRevocation && witness !== null) return witness.e
  const name = attributeNameOf(id)
  const text = Object.hasOwn(request.attributes, name) ? request.attributes[name] : undefined
  if (text === undefined && !isOptional) throw new IssuanceFailed(`required attribute missing: ${id}`)
  return encodeAttribute(text ?? null)
}
