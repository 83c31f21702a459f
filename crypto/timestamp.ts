/** Attribute-based signatures: the nonce of their proofs, and the timestamps of an Atum server that they may carry (spec/cryptography#8.1 and #8.3).
 *  The caller decides which servers to trust. @module */
import { createHash, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import { attributeExponent } from './attribute.ts'
import type { Arithmetic } from './bignum/arithmetic.ts'
import { integerOf } from './bytes.ts'
import { type Der, derInteger, derOctetString, derSequence } from './der.ts'
import { BASES_BEFORE_ATTRIBUTES } from './disclosure.ts'
import { type IssuerPublicKey, systemParameters } from './public-key.ts'

/** A timestamp as received; nothing is checked. */
export type Timestamp = {
  readonly timeSec: number
  readonly serverUrl: string
  readonly alg: string
  readonly signature: Uint8Array
  readonly publicKey: Uint8Array
  /** null: the nonce is signed as it is */
  readonly hashing: { readonly hash: string; readonly prefix: Uint8Array } | null
}

/** The part of one disclosure that a timestamp covers. */
export type StampedProof = {
  readonly A: bigint
  readonly disclosed: ReadonlyMap<number, bigint>
  readonly key: IssuerPublicKey
  /** number of attributes of the credential type, without metadata and secret key */
  readonly attributeCount: number
}

const SHAKE_BYTES = 64
const ED25519_KEY_BYTES = 32
/** The SubjectPublicKeyInfo of an Ed25519 key up to its 32 bytes (RFC 8410). */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex')

function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer')
}

/** The effective nonce of the proofs of a signed message.
 *  @param nonce of the session
 *  @param stampSignature signature of its timestamp; null without a timestamp */
export function signatureNonce(nonce: bigint, message: string, stampSignature: Uint8Array | null): bigint {
  const parts = [derInteger(nonce), derInteger(integerOf(sha256(message)))]
  const stamp = stampSignature === null ? [] : [derOctetString(stampSignature)]
  return integerOf(sha256(Buffer.concat(derSequence([...parts, ...stamp]))))
}

/** Leaves out indices beyond the credential type, and indices without a base: a proof with those is rejected anyway. */
function disclosedPart({ disclosed, key, attributeCount }: StampedProof): [index: number, value: bigint][] {
  const end = Math.min(attributeCount + BASES_BEFORE_ATTRIBUTES, key.R.length)
  return [...disclosed].filter(([index]) => index >= 0 && index < end)
}

/** Version 2: the product of the powers of the disclosed attributes. */
function derOfProduct(proof: StampedProof, arithmetic: Arithmetic): Der {
  const { Lm } = systemParameters(proof.key.n)
  const R = new Map(disclosedPart(proof).map(([index, value]) => [index, attributeExponent(value, Lm)]))
  return derInteger(arithmetic.keyProduct(proof.key, { R }))
}

/** Version 1: each disclosed value at its index, 0 at the others. */
function derOfValues(proof: StampedProof): Der {
  const values = new Map(disclosedPart(proof))
  const length = proof.attributeCount + BASES_BEFORE_ATTRIBUTES
  return derSequence(Array.from({ length }, (_, index) => derInteger(values.get(index) ?? 0n)))
}

/** The content that a timestamp covers. */
export type StampedMessage = {
  readonly message: string
  readonly version: 1 | 2
  /** in their order */
  readonly proofs: readonly StampedProof[]
}

/** The 32 bytes that a timestamp server signs for a signed message.
 *  @throws {RangeError} for a negative number */
export function timestampNonce(stamped: StampedMessage, arithmetic: Arithmetic): Uint8Array {
  const { version, proofs } = stamped
  return nonceOver(
    stamped,
    proofs.map(proof => stampedAttributes(proof, version, arithmetic)),
  )
}

/** The bytes that one proof adds to the nonce of a timestamp, besides its A. In version 2 this is nearly all of the work.
 *  @throws {RangeError} for a negative number */
export function stampedAttributes(
  proof: StampedProof,
  version: StampedMessage['version'],
  arithmetic: Arithmetic,
): Der {
  return version === 2 ? derOfProduct(proof, arithmetic) : derOfValues(proof)
}

/** @param attributes the result of `stampedAttributes` for each proof, in order */
export function nonceOver(
  { message, proofs }: Pick<StampedMessage, 'message' | 'proofs'>,
  attributes: readonly Der[],
): Uint8Array {
  const parts = [
    derSequence(proofs.map(({ A }) => derInteger(A))),
    derOctetString(sha256(message)),
    derSequence(attributes),
  ]
  return sha256(Buffer.concat(derSequence(parts)))
}

function signedBytes(timeSec: number, nonce: Uint8Array): Buffer {
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(timeSec))
  return Buffer.concat([time, nonce])
}

/** The bytes that are signed in place of the nonce; null for an unknown hashing method. */
function hashedNonce({ hashing }: Timestamp, nonce: Uint8Array): Uint8Array | null {
  if (hashing === null) return nonce
  if (hashing.hash !== 'shake256') return null
  return createHash('shake256', { outputLength: SHAKE_BYTES }).update(hashing.prefix).update(nonce).digest()
}

/** True if the key of the timestamp signed its time and this nonce. Only Ed25519 is supported; false for any other algorithm. */
export function verifyTimestamp(timestamp: Timestamp, nonce: Uint8Array): boolean {
  const { timeSec, alg, signature, publicKey } = timestamp
  const hashed = hashedNonce(timestamp, nonce)
  if (alg !== 'ed25519' || hashed === null || publicKey.length !== ED25519_KEY_BYTES) return false
  if (!Number.isSafeInteger(timeSec) || timeSec < 0) return false
  const der = Buffer.concat([ED25519_SPKI, publicKey])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, signedBytes(timeSec, hashed), key, signature)
}

/** The signature of a timestamp server. The nonce is not hashed before.
 *  @param key Ed25519, private */
export function signTimestamp(timeSec: number, nonce: Uint8Array, key: KeyObject): Uint8Array {
  return sign(null, signedBytes(timeSec, nonce), key)
}
