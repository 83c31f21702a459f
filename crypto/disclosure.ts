/** Disclosure proofs, ProofD of the cryptography note (sections 7.2 to 7.4): what they are, and whether the proofs of one message
 *  are right, with the checks of section 16. Credential types, expiry and matching are the work of `sessions`. @module */
import { attributeExponent } from './attribute.ts'
import type { Arithmetic } from './bignum/arithmetic.ts'
import { hashCommit } from './challenge.ts'
import { type IssuerPublicKey, systemParameters } from './public-key.ts'
import { type RandomBytes, randomInteger } from './random.ts'
import type { ClSignature } from './signature.ts'

/** One proof as it came in. Maps go from base index to integer: responses of hidden attributes, values of disclosed ones. */
export type DisclosureProof = {
  readonly c: bigint
  readonly A: bigint
  readonly eResponse: bigint
  readonly vResponse: bigint
  readonly aResponses: ReadonlyMap<number, bigint>
  readonly aDisclosed: ReadonlyMap<number, bigint>
}

export type ProofToVerify = {
  readonly proof: DisclosureProof
  /** the key that the proof's metadata names */
  readonly key: IssuerPublicKey
  /** proofs of one group must know the same secret key: "." or the identifier of a scheme with a keyshare server */
  readonly group: string
  /** number of attributes of the credential type, metadata and secret key not counted */
  readonly attributeCount: number
}

export type DisclosureMessage = {
  readonly proofs: readonly ProofToVerify[]
  readonly context: bigint
  readonly nonce: bigint
  readonly isSignature: boolean
}

/** Bounds the work of one message before any of it is done. */
export const MAX_PROOFS = 256
export const SECRET_KEY = 0
export const METADATA = 1
/** secret key and metadata come before the attributes of the credential type */
const BASES_BEFORE_ATTRIBUTES = 2
const HASH_BITS = 256

/** Whether x is in [0, 2^most). */
function hasBits(x: bigint, most: number): boolean {
  return x >> BigInt(most) === 0n // a negative number stays negative
}

/** Indices: whole numbers, none both hidden and disclosed (a value in both could be chosen at will), the secret key hidden, the
 *  metadata disclosed, each with a base, disclosed ones within the credential type. */
function hasRightIndices({ proof, key, attributeCount }: ProofToVerify): boolean {
  const { aResponses, aDisclosed } = proof
  const areBelow = (indices: Iterable<number>, end: number): boolean =>
    [...indices].every(index => Number.isInteger(index) && index >= 0 && index < end)
  return (
    aResponses.has(SECRET_KEY) &&
    aDisclosed.has(METADATA) &&
    [...aDisclosed.keys()].every(index => !aResponses.has(index)) &&
    areBelow(aResponses.keys(), key.R.length) &&
    areBelow(aDisclosed.keys(), Math.min(key.R.length, attributeCount + BASES_BEFORE_ATTRIBUTES))
  )
}

/** Sizes: they bound the work, and of the responses of attributes the range that the proof is about. A = 0 would verify for any
 *  attributes; any other A with a divisor in common with n means that the prover can factor n anyway. */
function hasRightSizes({ proof, key }: ProofToVerify): boolean {
  const { LeCommit, LvCommit, LmCommit } = systemParameters(key.n)
  return (
    proof.A > 0n &&
    proof.A < key.n &&
    hasBits(proof.c, HASH_BITS) &&
    hasBits(proof.eResponse, LeCommit + 1) &&
    hasBits(proof.vResponse, LvCommit + 1) &&
    [...proof.aResponses.values()].every(response => hasBits(response, LmCommit + 1)) &&
    [...proof.aDisclosed.values()].every(value => value >= 0n)
  )
}

/** One challenge in all proofs, one response for the secret key within each group (note 7.4). */
function areLinked(proofs: readonly ProofToVerify[]): boolean {
  const responses = new Map<string, bigint | undefined>()
  return proofs.every(({ proof, group }) => {
    const response = proof.aResponses.get(SECRET_KEY)
    if (!responses.has(group)) responses.set(group, response)
    return proof.c === proofs[0]?.proof.c && responses.get(group) === response
  })
}

/** What a proof adds to the challenge: A, and Z~ of note 7.2 without an inversion:
 *  ((1/Z) A^(2^(Le-1)) prod_disclosed R_i^exp(a_i))^c A^e_response S^v_response prod_hidden R_i^response.
 *  @param each.proof one whose indices and sizes are right */
export function contribution(
  arithmetic: Arithmetic,
  { proof, key }: Pick<ProofToVerify, 'proof' | 'key'>,
): readonly [A: bigint, commitment: bigint] {
  const { Le, Lm } = systemParameters(key.n)
  const { c, A, eResponse, vResponse, aResponses, aDisclosed } = proof
  const R = new Map(aResponses)
  for (const [index, value] of aDisclosed) R.set(index, c * attributeExponent(value, Lm))
  const exponent = (c << BigInt(Le - 1)) + eResponse
  return [A, arithmetic.keyProduct(key, { inverseZ: c, S: vResponse, R, other: { base: A, exponent } })]
}

/** Whether all proofs of a message are right, under their keys, for this context and nonce, and belong to the same secret keys.
 *  A message without proofs proves nothing: false.
 *  @param message as it came in, no number checked; keys are trusted
 *  @throws {RangeError} for a key of a length that does not exist, never because of a proof */
export function verifyDisclosures(arithmetic: Arithmetic, message: DisclosureMessage): boolean {
  const { proofs, context, nonce, isSignature } = message
  const [first] = proofs
  if (first === undefined || proofs.length > MAX_PROOFS) return false
  if (context < 0n || !hasBits(nonce, HASH_BITS)) return false
  if (!proofs.every(each => hasRightIndices(each) && hasRightSizes(each)) || !areLinked(proofs)) return false
  const contributions = proofs.flatMap(each => contribution(arithmetic, each))
  return hashCommit([context, ...contributions, nonce], isSignature) === first.proof.c
}

/** What a wallet knows of one credential. */
export type OwnedCredential = {
  readonly signature: ClSignature
  /** from base index 1 on: metadata first */
  readonly attributes: readonly bigint[]
  readonly key: IssuerPublicKey
}

export type DisclosureInput = {
  readonly credentials: readonly {
    readonly credential: OwnedCredential
    /** base indices from 2 on; the metadata is disclosed in any case */
    readonly disclosed: readonly number[]
  }[]
  readonly secretKey: bigint
  readonly context: bigint
  readonly nonce: bigint
  readonly isSignature: boolean
}

/** Randomizer of the secret key, for every key size: responses to one secret key must be equal under all of them. */
const SECRET_KEY_RANDOMIZER_BITS = 592

/** A hidden exponent. A randomizer serves one challenge: two answers reveal the value. */
type Hidden = { readonly value: bigint; readonly randomizer: bigint }
type Attributes = {
  readonly hidden: ReadonlyMap<number, Hidden>
  readonly aDisclosed: ReadonlyMap<number, bigint>
}

/** A proof before the challenge is known; `respond` may be called once. */
type Draft = {
  readonly A: bigint
  readonly commitment: bigint
  readonly respond: (c: bigint) => DisclosureProof
}

/** Which attributes of a credential go where, the hidden ones with a fresh randomizer.
 *  @throws {RangeError} for an index that the credential does not have */
function chooseAttributes(
  { attributes, key }: OwnedCredential,
  disclosed: readonly number[],
  secretKey: Hidden,
  randomBytes: RandomBytes,
): Attributes {
  const { Lm, LmCommit } = systemParameters(key.n)
  const last = attributes.length
  if (last < METADATA || last >= key.R.length)
    throw new RangeError(`attributes: expected 1 to ${key.R.length - 1}, got ${last}`)
  const known = (index: number): boolean => Number.isInteger(index) && index >= METADATA && index <= last
  if (!disclosed.every(known)) throw new RangeError(`indices to disclose: expected ${METADATA} to ${last}`)
  const hidden = new Map([[SECRET_KEY, secretKey]])
  const aDisclosed = new Map<number, bigint>()
  for (const [i, attribute] of attributes.entries()) {
    const index = METADATA + i
    if (index === METADATA || disclosed.includes(index)) aDisclosed.set(index, attribute)
    else
      hidden.set(index, {
        value: attributeExponent(attribute, Lm),
        randomizer: randomInteger(LmCommit, randomBytes),
      })
  }
  return { hidden, aDisclosed }
}

/** First half of the prover's steps of note 7.2; every exponent is secret. */
function draftProof(
  arithmetic: Arithmetic,
  { signature, key }: OwnedCredential,
  { hidden, aDisclosed }: Attributes,
  randomBytes: RandomBytes,
): Draft {
  const { n, S, R } = key
  const { Le, LRA, LeCommit, LvCommit } = systemParameters(n)
  const r = randomInteger(LRA, randomBytes)
  const A = (signature.A * arithmetic.secretPower(S, r, n)) % n
  const v = signature.v - signature.e * r
  const re = randomInteger(LeCommit, randomBytes)
  const rv = randomInteger(LvCommit, randomBytes)
  let commitment = (arithmetic.secretPower(A, re, n) * arithmetic.secretPower(S, rv, n)) % n
  for (const [index, { randomizer }] of hidden)
    commitment = (commitment * arithmetic.secretPower(R[index] ?? 0n, randomizer, n)) % n
  const respond = (c: bigint): DisclosureProof => ({
    c,
    A,
    eResponse: re + c * (signature.e - 2n ** BigInt(Le - 1)),
    vResponse: rv + c * v,
    aResponses: new Map([...hidden].map(([i, { value, randomizer }]) => [i, randomizer + c * value])),
    aDisclosed,
  })
  return { A, commitment, respond }
}

/** Disclose attributes of credentials of one secret key to one verifier; the proofs come in the order of the credentials.
 *  @throws {RangeError} for an index that a credential does not have */
export function createDisclosures(
  arithmetic: Arithmetic,
  { credentials, secretKey, context, nonce, isSignature }: DisclosureInput,
  randomBytes: RandomBytes,
): DisclosureProof[] {
  const secret = { value: secretKey, randomizer: randomInteger(SECRET_KEY_RANDOMIZER_BITS, randomBytes) }
  const drafts = credentials.map(({ credential, disclosed }) => {
    const attributes = chooseAttributes(credential, disclosed, secret, randomBytes)
    return draftProof(arithmetic, credential, attributes, randomBytes)
  })
  const commitments = drafts.flatMap(draft => [draft.A, draft.commitment])
  const c = hashCommit([context, ...commitments, nonce], isSignature)
  return drafts.map(draft => draft.respond(c))
}
