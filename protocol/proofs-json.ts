/** Proofs in the messages of a wallet app (spec 2.9, `spec/cryptography.md` 4.1): reading and writing them, and the indices that point at what
 *  they disclose. Of what is read only the form is checked, and no value stands in an error. @module */
import { toBase64 } from '../crypto/bytes.ts'
import type { CommitmentProof } from '../crypto/commitment.ts'
import type { DisclosureProof } from '../crypto/disclosure.ts'
import { MAX_PROOFS } from '../crypto/proof-list.ts'
import { ANY_LENGTH, readBigInteger, readIntegerMap, writeIntegerMap } from './big-integers.ts'
import { ExceptionError } from './errors.ts'
import { type JsonValue, MAX_VALUES } from './json.ts'
import type { SessionType } from './request.ts'
import { readNonRevocation, writeNonRevocation } from './revocation-json.ts'
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
      /** carries a range proof as well, which nobody checks */
      readonly hasUncheckedParts: boolean
    }
  | { readonly kind: 'commitment'; readonly proof: CommitmentProof }

/** Names a disclosed attribute: `proofs[cred].aDisclosed.get(attr)`. */
export type DisclosureIndex = { readonly cred: number; readonly attr: number }
/** By outer item of the request, then by attribute of the inner conjunction that the user chose. */
export type DisclosureIndices = readonly (readonly DisclosureIndex[])[]
/** Indices as they were received: null stands for a list that was left out, and says as much as an empty one. */
export type SentIndices = readonly (readonly DisclosureIndex[] | null)[] | null

/** The maps of a proof: in them a member name that is given twice is refused (MUST 5). */
const PROOF_MAPS = ['a_disclosed', 'a_responses', 'm_user_responses'] as const
/** The member of a message that holds its proofs, by the type of the session. */
const LISTS: Readonly<Record<SessionType, string>> = {
  disclosing: 'proofs',
  signing: 'signature',
  issuing: 'combinedProofs',
}

/** How much of a message is read; past any of them the message is refused. */
export type MessageBounds = {
  readonly proofs: number
  /** objects, lists, texts and numbers anywhere in it, in members that nobody knows too */
  readonly values: number
  /** the most characters in the numbers and texts of all its proofs together, which stand in results */
  readonly characters: number
  /** the most characters in the message that it signs */
  readonly message: number
}
/** The characters of all proofs of a message: 256 proofs under 4096-bit keys with 40 attributes each have 2.5 million. More would take so long to
 *  read, and to write into a result, that everybody else waits. */
const MAX_CHARACTERS = 4 * 2 ** 20
/** The share of each proof in them: a proof has some 10,000 without long attributes, and a long one may use what the others leave. */
const CHARACTERS_PER_PROOF = 2 ** 16
/** The characters of a signed message: no session request has a longer one. It stands in the result, where one character may take six. */
const MAX_MESSAGE_CHARACTERS = 2 ** 20
/** The characters of a signed message that is not the one that was asked for. */
const OTHER_MESSAGE_CHARACTERS = 2 ** 12
/** The bounds of a message whose request is not known. */
export const WIDEST_BOUNDS: MessageBounds = {
  proofs: MAX_PROOFS,
  values: MAX_VALUES,
  characters: MAX_CHARACTERS,
  message: MAX_MESSAGE_CHARACTERS,
}
/** The values of one proof: 290 under a key of 256 bases, with its proof of non-revocation. Keys have a few dozen bases. */
const VALUES_PER_PROOF = 300
/** The values of a message besides proofs and indices: its context, message and timestamp, or a JWT for each keyshare server. */
const OTHER_VALUES = 200

const MAX_INDEX = 0xffff
/** A proof whose kind is known, and nothing else. */
type ProofObject = {
  readonly kind: ReadProof['kind']
  readonly json: JsonObject
  readonly what: string
}

/** The bounds of a message with at most so many proofs.
 *  @param indices values that its indices may have
 *  @param message that was to be signed; another one stands in the result too */
export function messageBounds(proofs: number, indices: number, message: string): MessageBounds {
  return {
    proofs,
    values: proofs * VALUES_PER_PROOF + indices + OTHER_VALUES,
    characters: Math.min(proofs * CHARACTERS_PER_PROOF, MAX_CHARACTERS),
    message: Math.max(message.length, OTHER_MESSAGE_CHARACTERS),
  }
}

/** A message with proofs, of which nothing is read past the first proof or value that is too many: reading them all would keep everybody waiting.
 *  @throws {ShapeError} */
export function readProofMessage(
  text: string,
  type: SessionType,
  { proofs, values }: MessageBounds,
): JsonValue {
  const maxItems = { [LISTS[type]]: proofs }
  return readText(text, { uniqueNamesBelow: PROOF_MAPS, maxItems, maxValues: values })
}

/** @throws {ShapeError} for too many characters, or for an element of which nobody can tell what it is */
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

/** The characters of the texts and long integers in it. */
function charactersOf(json: JsonValue): number {
  if (typeof json === 'bigint') return json.toString(16).length
  if (typeof json === 'string') return json.length
  if (typeof json !== 'object' || json === null) return 0
  return Object.values(json).reduce((sum: number, each: JsonValue) => sum + charactersOf(each), 0)
}

/** A disclosure proof has `A`; a commitment, which belongs to issuance, has `U`. */
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

/** Where only disclosure proofs may stand.
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

/** Members in the order of the wire. */
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

/** Members in the order of the wire. */
export function writeCommitment(proof: CommitmentProof): object {
  return {
    U: toBase64(proof.U),
    c: toBase64(proof.c),
    v_prime_response: toBase64(proof.vPrimeResponse),
    s_response: toBase64(proof.sResponse),
    m_user_responses: proof.mUserResponses.size === 0 ? undefined : writeIntegerMap(proof.mUserResponses),
  }
}
