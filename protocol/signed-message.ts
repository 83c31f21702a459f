/** The signed message, an attribute-based signature (spec/interface#2.9, spec/cryptography#8.2): the body of `POST /proofs` in a signature session, and part of its
 *  result. @module */
import { toBase64 } from '../crypto/bytes.ts'
import type { DisclosureProof } from '../crypto/disclosure.ts'
import type { Timestamp } from '../crypto/timestamp.ts'
import { readNonce } from './big-integers.ts'
import { contextOf } from './contexts.ts'
import { MalformedInputError } from './errors.ts'
import type { JsonValue } from './json.ts'
import {
  listProofs,
  readDisclosures,
  readProofMessage,
  readSentIndices,
  type SentIndices,
  WIDEST_BOUNDS,
  writeDisclosure,
} from './proofs-json.ts'
import { isGiven, mapShapeErrors, readObject, readString, ShapeError } from './shape.ts'
import { readTimestamp, writeTimestamp } from './timestamp-json.ts'

export type SignedMessage = {
  /** 1 for a message without `@context`: its timestamp is computed over other numbers */
  readonly version: 1 | 2
  readonly proofs: readonly DisclosureProof[]
  /** true if a proof also has a range proof, which is not checked */
  readonly hasUncheckedParts: boolean
  readonly indices: SentIndices
  /** nonce of the session; public. null: left out, and it then matches no session */
  readonly nonce: bigint | null
  /** null: left out */
  readonly context: bigint | null
  readonly message: string
  readonly timestamp: Timestamp | null
}

/** @param contextBase of the server; null: any, for a signature that is verified later
 *  @throws {MalformedInputError} if the form is wrong
 *  @throws {ExceptionError} for a commitment among the proofs */
export function parseSignedMessage(
  text: string,
  contextBase: string | null = null,
  bounds = WIDEST_BOUNDS,
): SignedMessage {
  return mapShapeErrors(MalformedInputError, () => {
    const body = readObject(readProofMessage(text, 'signing', bounds), 'signed message')
    const version = readVersion(body['@context'], contextBase)
    const objects = listProofs(body.signature, 'signature', bounds)
    const { timestamp } = body
    return {
      version,
      indices: readSentIndices(body.indices),
      ...readDisclosures(objects),
      nonce: isGiven(body.nonce) ? readNonce(body.nonce, 'nonce') : null,
      context: isGiven(body.context) ? readNonce(body.context, 'context') : null,
      message: readString(body.message, 'message', bounds.message),
      timestamp: isGiven(timestamp) ? readTimestamp(timestamp, 'timestamp') : null,
    }
  })
}

function readVersion(json: JsonValue | undefined, contextBase: string | null): 1 | 2 {
  const context = readString(json, '@context')
  if (context === '') return 1
  const expected = contextOf(contextBase ?? '', 'signature')
  if (contextBase === null ? !context.endsWith(expected) : context !== expected)
    throw new ShapeError(`@context: expected ${contextBase === null ? 'one that ends in ' : ''}${expected}`)
  return 2
}

/** The message in its wire form. Members are in the order of the wire, null if absent. Invalid messages are written as existing servers do: an empty `@context` in
 *  version 1, and null for no proofs. */
export function signedMessage(signed: Omit<SignedMessage, 'hasUncheckedParts'>, contextBase: string): object {
  return {
    '@context': signed.version === 2 ? contextOf(contextBase, 'signature') : '',
    signature: signed.proofs.length === 0 ? null : signed.proofs.map(writeDisclosure),
    indices: signed.indices,
    nonce: signed.nonce === null ? null : toBase64(signed.nonce),
    context: signed.context === null ? null : toBase64(signed.context),
    message: signed.message,
    timestamp: signed.timestamp === null ? null : writeTimestamp(signed.timestamp),
  }
}
