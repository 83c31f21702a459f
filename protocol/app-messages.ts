/** Messages between a wallet app and the server (spec 2.9, `spec/session-server.md` 7 and 8), in the form of each protocol version. What is
 *  written has its members in the order of the wire; of what is read only the form is checked here, and no value stands in an error. @module */
import { toBase64 } from '../crypto/bytes.ts'
import { type DisclosureProof, MAX_PROOFS } from '../crypto/disclosure.ts'
import { readBigInteger, readIntegerMap, writeIntegerMap } from './big-integers.ts'
import { contextOf } from './contexts.ts'
import { ExceptionError, MalformedInput } from './errors.ts'
import { sessionOptions } from './frontend-messages.ts'
import type { JsonValue } from './json.ts'
import { legacyDisclose } from './legacy-form.ts'
import type { AttributeRequest, ExtendedRequest, InnerConjunction } from './request.ts'
import { hasChains, hasConjunctions, hasPairing } from './server-versions.ts'
import {
  isObject,
  type JsonObject,
  mapShapeErrors,
  readInteger,
  readList,
  readMap,
  readObject,
  readText,
  ShapeError,
} from './shape.ts'
import { formatVersion, type ProtocolVersion } from './versions.ts'

/** Base64 of the number 1: always, and without use (spec 2.9). */
const CONTEXT_ONE = 'AQ=='
export type RequestFacts = {
  /** Base64, as stored with the session */
  readonly nonce: string
  readonly protocolVersion: ProtocolVersion
  readonly devMode: boolean
  readonly contextBase: string
}

/** The session request as delivered to the app: what `/request` answers, and part of the client session request. Members that are empty are
 *  left out. */
export function disclosureRequestForApp(extended: ExtendedRequest, facts: RequestFacts): object {
  const { request, isLegacy } = extended
  const { nonce, protocolVersion, devMode, contextBase } = facts
  const version = formatVersion(protocolVersion)
  if (!hasConjunctions(protocolVersion))
    return {
      context: CONTEXT_ONE,
      nonce,
      protocolVersion: version,
      type: request.type,
      content: legacyDisclose(request),
    }
  const { clientReturnUrl, augmentReturnUrl, host, disclose, labels, skipExpiryCheck } = request
  return {
    '@context': contextOf(contextBase, request.type),
    context: CONTEXT_ONE,
    nonce,
    protocolVersion: version,
    type: isLegacy ? request.type : undefined,
    devMode: devMode || undefined,
    clientReturnUrl: clientReturnUrl || undefined,
    augmentReturnUrl: augmentReturnUrl || undefined,
    host: host || undefined,
    disclose: disclose.map(disjunction => disjunction.map(writeInner)),
    labels: sortedLabels(labels),
    skipExpiryCheck: skipExpiryCheck.length === 0 ? undefined : skipExpiryCheck,
  }
}

function writeInner(inner: InnerConjunction): unknown[] {
  return inner.map(({ type, value, notNull }: AttributeRequest) =>
    value === null && !notNull ? type : { type, value: value ?? undefined, notNull: notNull || undefined },
  )
}

function sortedLabels(
  labels: ExtendedRequest['request']['labels'],
): ReadonlyMap<string, unknown> | undefined {
  const entries = Object.entries(labels)
  if (entries.length === 0) return undefined
  return new Map(
    entries.map(([index, text]) => [index, text === null ? null : new Map(Object.entries(text))]),
  )
}

/** The answer to the first GET. From version 2.8 on `options` is always there, and the request only while pairing is off (D12); before, it is
 *  the bare request, and there is no pairing.
 *  @param facts.pairingCode four digits, secret; null: pairing is off */
export function clientSessionRequest(
  extended: ExtendedRequest,
  facts: RequestFacts & { readonly pairingCode: string | null },
): object {
  const { contextBase, pairingCode, protocolVersion } = facts
  const request = pairingCode === null ? disclosureRequestForApp(extended, facts) : undefined
  if (request !== undefined && !hasPairing(protocolVersion)) return request
  return {
    '@context': contextOf(contextBase, 'client'),
    protocolVersion: formatVersion(protocolVersion),
    options: sessionOptions(contextBase, pairingCode),
    request,
  }
}

/** The answer to a submission: an object, or below version 2.7 the bare proof status. */
export function serverSessionResponse(proofStatus: string, version: ProtocolVersion): object | string {
  return hasChains(version) ? { proofStatus } : proofStatus
}

/** Names a disclosed attribute: `proofs[cred].aDisclosed.get(attr)`. */
export type DisclosureIndex = { readonly cred: number; readonly attr: number }

export type DisclosureMessage = {
  readonly proofs: readonly DisclosureProof[]
  /** by outer item of the request, then by attribute of the inner conjunction that the user chose */
  readonly indices: readonly (readonly DisclosureIndex[])[]
  /** a proof carries a non-revocation or range proof as well, which nobody checks */
  readonly hasUncheckedParts: boolean
}

const MAX_INDEX = 0xffff

/** @param text body of `POST /proofs` in a disclosure session
 *  @throws {MalformedInput} if the form is wrong
 *  @throws {ExceptionError} for a commitment among the proofs */
export function parseDisclosureMessage(text: string): DisclosureMessage {
  return mapShapeErrors(MalformedInput, () => {
    const body = readMap(readText(text, ['a_disclosed', 'a_responses']), 'disclosure message')
    const proofs = readList(body.proofs, 'proofs')
    if (proofs.length > MAX_PROOFS)
      throw new ShapeError(`proofs: expected at most ${MAX_PROOFS}, got ${proofs.length}`)
    const objects = proofs.map((proof, k) => proofObject(proof, `proofs[${k}]`))
    const indices = readList(body.indices, 'indices').map((item, i) =>
      readList(item, () => `indices[${i}]`).map((index, j) => readIndex(index, () => `indices[${i}][${j}]`)),
    )
    if (!objects.every(isDisclosure))
      throw new ExceptionError('Cannot extract public key, not a disclosure proof')
    return {
      proofs: objects.map((proof, k) => readProof(proof, `proofs[${k}]`)),
      indices,
      hasUncheckedParts: objects.some(proof => isGiven(proof.nonrev_proof) || isGiven(proof.rangeproofs)),
    }
  })
}

function isGiven(json: JsonValue | undefined): boolean {
  return json !== undefined && json !== null
}

/** A disclosure proof has `A`; a commitment, which belongs to issuance, has `U`. */
function isDisclosure(proof: JsonObject): boolean {
  return isGiven(proof.A)
}

function proofObject(json: JsonValue, what: string): JsonObject {
  if (!isObject(json) || (!isGiven(json.A) && !isGiven(json.U)))
    throw new ShapeError(`Unknown proof type found in ProofList: ${what}: expected a member "A"`)
  return json
}

function readProof(proof: JsonObject, what: string): DisclosureProof {
  return {
    c: readBigInteger(proof.c, `${what}.c`),
    A: readBigInteger(proof.A, `${what}.A`),
    eResponse: readBigInteger(proof.e_response, `${what}.e_response`),
    vResponse: readBigInteger(proof.v_response, `${what}.v_response`),
    aResponses: readIntegerMap(proof.a_responses, `${what}.a_responses`),
    aDisclosed: readIntegerMap(proof.a_disclosed, `${what}.a_disclosed`),
  }
}

function readIndex(json: JsonValue, what: () => string): DisclosureIndex {
  const { cred, attr } = readObject(json, what)
  if (!isGiven(cred) || !isGiven(attr)) throw new ShapeError(`${what()}: expected the members cred and attr`)
  return {
    cred: readInteger(cred, () => `${what()}.cred`, MAX_INDEX),
    attr: readInteger(attr, () => `${what()}.attr`, MAX_INDEX),
  }
}

/** The message as it is written (spec 2.9); members in the order of the wire. */
export function disclosureMessage(
  proofs: readonly DisclosureProof[],
  indices: DisclosureMessage['indices'],
): object {
  return {
    proofs: proofs.map(proof => ({
      c: toBase64(proof.c),
      A: toBase64(proof.A),
      e_response: toBase64(proof.eResponse),
      v_response: toBase64(proof.vResponse),
      a_responses: writeIntegerMap(proof.aResponses),
      a_disclosed: writeIntegerMap(proof.aDisclosed),
    })),
    indices,
  }
}
