/** Proofs in the messages of a wallet app (spec/interface#2.9, spec/cryptography#4.1), and the indices of the attributes that they disclose. The reader checks only the
 *  form. Errors contain no value. @module */
import { toBase64 } from '../crypto/bytes.ts'
import type { CommitmentProof } from '../crypto/commitment.ts'
import type { DisclosureProof } from '../crypto/disclosure.ts'
import { MAX_PROOFS } from '../crypto/proof-list.ts'
import { ANY_LENGTH, readBigInteger, readIntegerMap, writeIntegerMap } from './big-integers.ts'
import { ExceptionError } from './errors.ts'
import { type JsonValue, MAX_VALUES } from './json.ts'
import type { SessionType } from './request.ts'
import { readNonRevocation, writeNonRevocation } from './revocation-json.ts'
import { KEY_BINDING_KEYS } from './sd-jwt/key-binding-keys.ts'
import {
  isGiven,
  isObject,
  type JsonObject,
  readInteger,
  readList,
  readObject,
  readText,
  ShapeError,
  shapeError,
} from './shape.ts'

export type ReadProof =
  | {
      readonly kind: 'disclosure'
      readonly proof: DisclosureProof
      /** true if the proof also has a range proof, which is not checked */
      readonly hasUncheckedParts: boolean
    }
  | { readonly kind: 'commitment'; readonly proof: CommitmentProof }

/** A reference to a disclosed attribute: `proofs[cred].aDisclosed.get(attr)`. */
export type DisclosureIndex = { readonly cred: number; readonly attr: number }
/** By outer item of the request, then by attribute of the chosen inner conjunction. */
export type DisclosureIndices = readonly (readonly DisclosureIndex[])[]
/** Indices as received. Null is a list that was left out; it means the same as an empty list. */
export type SentIndices = readonly (readonly DisclosureIndex[] | null)[] | null

/** The maps of a proof. A duplicate member name in them is refused (MUST 5). */
const PROOF_MAPS = ['a_disclosed', 'a_responses', 'm_user_responses'] as const
/** The member of a message that contains its proofs, by type of session. */
const LISTS: Readonly<Record<SessionType, string>> = {
  disclosing: 'proofs',
  signing: 'signature',
  issuing: 'combinedProofs',
}

/** Limits for reading a message. A message over one of them is refused. */
export type MessageBounds = {
  readonly proofs: number
  /** objects, lists, texts and numbers in the whole message, unknown members included */
  readonly values: number
  /** maximum number of characters in the numbers and texts of all proofs together; results contain them */
  readonly characters: number
  /** maximum number of characters of the message to sign */
  readonly message: number
  /** keys for SD-JWTs */
  readonly keys: number
}
/** Maximum number of characters of all proofs of a message. 256 proofs under 4096-bit keys with 40 attributes each have 2.5 million. Reading more, and writing it
 *  into a result, would block other requests for too long. */
const MAX_CHARACTERS = 4 * 2 ** 20
/** The number of characters that each proof adds to the limit. A proof without long attributes has about 10,000. A longer proof may use the rest of others. */
const CHARACTERS_PER_PROOF = 2 ** 16
/** Maximum number of characters of a signed message; no session request has a longer one. The result contains it, where one character may take six. */
const MAX_MESSAGE_CHARACTERS = 2 ** 20
/** Maximum number of characters of a signed message that differs from the requested one. */
const OTHER_MESSAGE_CHARACTERS = 2 ** 12
/** The limits for a message whose request is not known. */
export const WIDEST_BOUNDS: MessageBounds = {
  proofs: MAX_PROOFS,
  values: MAX_VALUES,
  characters: MAX_CHARACTERS,
  message: MAX_MESSAGE_CHARACTERS,
  keys: MAX_VALUES,
}
/** Number of values of one proof. Under a key of 256 bases, with its proof of non-revocation, it has 290. Keys have a few dozen bases. */
const VALUES_PER_PROOF = 300
/** Values outside proofs and indices: context, message and timestamp, or a JWT of each keyshare server. */
const OTHER_VALUES = 200
/** Number of values of one key for SD-JWTs, with members that are ignored. */
const VALUES_PER_KEY = 20

const MAX_INDEX = 0xffff
/** A proof of known kind, not read further. */
type ProofObject = {
  readonly kind: ReadProof['kind']
  readonly json: JsonObject
  readonly what: string
}

/** The limits for a message with at most so many proofs.
 *  @param indices number of values that its indices may have
 *  @param message text to be signed; the result also contains a different one
 *  @param keys number of keys for SD-JWTs */
export function messageBounds(proofs: number, indices: number, message: string, keys: number): MessageBounds {
  return {
    proofs,
    values: proofs * VALUES_PER_PROOF + indices + keys * VALUES_PER_KEY + OTHER_VALUES,
    characters: Math.min(proofs * CHARACTERS_PER_PROOF, MAX_CHARACTERS),
    message: Math.max(message.length, OTHER_MESSAGE_CHARACTERS),
    keys,
  }
}

/** Reads a message with proofs. It stops at the first proof or value over a limit, because reading all would block other requests.
 *  @throws {ShapeError} */
export function readProofMessage(
  text: string,
  type: SessionType,
  { proofs, values, keys }: MessageBounds,
): JsonValue {
  const maxItems = { [LISTS[type]]: proofs, [KEY_BINDING_KEYS]: keys }
  return readText(text, { uniqueNamesBelow: PROOF_MAPS, maxItems, maxValues: values })
}

/** @throws {ShapeError} for too many characters, or for an element of unknown kind */
export function listProofs(
  json: JsonValue | undefined,
  what: string,
  { characters }: MessageBounds,
): ProofObject[] {
  const list = readList(json, what)
  const length = charactersOf(list)
  if (length > characters)
    throw new ShapeError(`${what}: expected at most ${characters} characters, got ${length}`)
  return list.map((each, k) => proofObject(each, `${what}[${k}]`))
}

/** The number of characters of all texts and long integers in the value. */
function charactersOf(json: JsonValue): number {
  if (typeof json === 'bigint') return json.toString(16).length
  if (typeof json === 'string') return json.length
  if (typeof json !== 'object' || json === null) return 0
  return Object.values(json).reduce((sum: number, each: JsonValue) => sum + charactersOf(each), 0)
}

/** A disclosure proof has `A`. A commitment, which belongs to issuance, has `U`. */
function proofObject(json: JsonValue, what: string): ProofObject {
  if (!isObject(json)) throw shapeError(`Unknown proof type found in ProofList: ${what}`, 'an object', json)
  if (isGiven(json.A)) return { kind: 'disclosure', json, what }
  if (isGiven(json.U)) return { kind: 'commitment', json, what }
  throw new ShapeError(`Unknown proof type found in ProofList: ${what}: expected a member "A" or "U"`)
}

/** @throws {ShapeError} */
export function readProof({ kind, json, what }: ProofObject): ReadProof {
  if (kind === 'commitment') return { kind, proof: readCommitment(json, what) }
  return { kind, proof: readDisclosure(json, what), hasUncheckedParts: isGiven(json.rangeproofs) }
}

/** Reads proofs where only disclosure proofs are allowed.
 *  @throws {ExceptionError} for a commitment among them
 *  @throws {ShapeError} */
export function readDisclosures(objects: readonly ProofObject[]): {
  readonly proofs: readonly DisclosureProof[]
  readonly hasUncheckedParts: boolean
} {
  if (objects.some(({ kind }) => kind === 'commitment'))
    throw new ExceptionError('Cannot extract public key, not a disclosure proof')
  const proofs = objects.map(readProof).filter(each => each.kind === 'disclosure')
  return {
    proofs: proofs.map(({ proof }) => proof),
    hasUncheckedParts: proofs.some(each => each.hasUncheckedParts),
  }
}

function readDisclosure(proof: JsonObject, what: string): DisclosureProof {
  const { nonrev_proof } = proof
  return {
    c: readBigInteger(proof.c, `${what}.c`),
    A: readBigInteger(proof.A, `${what}.A`),
    eResponse: readBigInteger(proof.e_response, `${what}.e_response`),
    vResponse: readBigInteger(proof.v_response, `${what}.v_response`),
    aResponses: readIntegerMap(proof.a_responses, `${what}.a_responses`),
    aDisclosed: readIntegerMap(proof.a_disclosed, `${what}.a_disclosed`, ANY_LENGTH),
    ...(isGiven(nonrev_proof) && { nonRevocation: readNonRevocation(nonrev_proof, `${what}.nonrev_proof`) }),
  }
}

function readCommitment(proof: JsonObject, what: string): CommitmentProof {
  return {
    U: readBigInteger(proof.U, `${what}.U`),
    c: readBigInteger(proof.c, `${what}.c`),
    vPrimeResponse: readBigInteger(proof.v_prime_response, `${what}.v_prime_response`),
    sResponse: readBigInteger(proof.s_response, `${what}.s_response`),
    mUserResponses: readIntegerMap(proof.m_user_responses, `${what}.m_user_responses`),
  }
}

/** @throws {ShapeError} */
export function readIndices(json: JsonValue | undefined): DisclosureIndices {
  return listedIndices(readSentIndices(json))
}

export function listedIndices(sent: SentIndices): DisclosureIndices {
  return (sent ?? []).map(item => item ?? [])
}

/** @throws {ShapeError} */
export function readSentIndices(json: JsonValue | undefined): SentIndices {
  if (!isGiven(json)) return null
  return readList(json, 'indices').map((item, i) => {
    if (!isGiven(item)) return null
    const list = readList(item, () => `indices[${i}]`)
    return list.map((index, j) => readIndex(index, () => `indices[${i}][${j}]`))
  })
}

function readIndex(json: JsonValue, what: () => string): DisclosureIndex {
  const { cred, attr } = readObject(json, what)
  if (!isGiven(cred) || !isGiven(attr)) throw new ShapeError(`${what()}: expected the members cred and attr`)
  return {
    cred: readInteger(cred, () => `${what()}.cred`, MAX_INDEX),
    attr: readInteger(attr, () => `${what()}.attr`, MAX_INDEX),
  }
}

/** Members are in the order of the wire. */
export function writeDisclosure(proof: DisclosureProof): object {
  return {
    c: toBase64(proof.c),
    A: toBase64(proof.A),
    e_response: toBase64(proof.eResponse),
    v_response: toBase64(proof.vResponse),
    a_responses: writeIntegerMap(proof.aResponses),
    a_disclosed: writeIntegerMap(proof.aDisclosed),
    nonrev_proof: proof.nonRevocation && writeNonRevocation(proof.nonRevocation),
  }
}

/** Members are in the order of the wire. */
export function writeCommitment(proof: CommitmentProof): object {
  return {
    U: toBase64(proof.U),
    c: toBase64(proof.c),
    v_prime_response: toBase64(proof.vPrimeResponse),
    s_response: toBase64(proof.sResponse),
    m_user_responses: proof.mUserResponses.size === 0 ? undefined : writeIntegerMap(proof.mUserResponses),
  }
}
