/** Revocation data in JSON (spec/cryptography#14.1, #14.5): signed accumulators, updates, witnesses, proofs of non-revocation. Reading checks only the form.
 *  Errors contain no value. @module */
import { toBase64 } from '../crypto/bytes.ts'
import {
  chainEvents,
  checkHash,
  type RevocationEvent,
  type RevocationUpdate,
  type SignedAccumulator,
} from '../crypto/revocation/accumulator.ts'
import { MAX_ELEMENTS } from '../crypto/revocation/cbor.ts'
import { RevocationDataError } from '../crypto/revocation/error.ts'
import type { NonRevocationProof } from '../crypto/revocation/proof.ts'
import { MAX_SIGNED } from '../crypto/revocation/signed-bytes.ts'
import type { Witness } from '../crypto/revocation/witness.ts'
import { readBytes, writeBytes } from './base64.ts'
import { readBigInteger } from './big-integers.ts'
import type { JsonValue } from './json.ts'
import { isGiven, readInteger, readList, readObject, ShapeError } from './shape.ts'

const MAX_KEY_COUNTER = 0xffff_ffff
/** Maximum number of Base64 characters of a signed accumulator. */
const MAX_SIGNED_CHARACTERS = Math.ceil(MAX_SIGNED / 3) * 4
const MAX_HASH_CHARACTERS = 64
/** The time of a witness that was never updated. */
const NEVER = '0001-01-01T00:00:00Z'

/** @throws {ShapeError} */
function readSignedAccumulator(json: JsonValue | undefined, what: string): SignedAccumulator {
  const { data, pk } = readObject(json, what)
  return {
    data: readBytes(data, `${what}.data`, 'base64', MAX_SIGNED_CHARACTERS),
    keyCounter: readInteger(pk, `${what}.pk`, MAX_KEY_COUNTER),
  }
}

function writeSignedAccumulator({ data, keyCounter }: SignedAccumulator): object {
  return { data: Buffer.from(data).toString('base64'), pk: keyCounter }
}

/** @throws {ShapeError} */
export function readUpdate(json: JsonValue | undefined, what: string): RevocationUpdate {
  const { sacc, e } = readObject(json, what)
  return {
    signed: readSignedAccumulator(sacc, `${what}.sacc`),
    events: isGiven(e) ? readEvents(e, `${what}.e`) : [],
  }
}

/** Reads consecutive events. Each hash is computed from the previous one. */
function readEvents(json: JsonValue, what: string): RevocationEvent[] {
  const { i, hash, e } = readObject(json, what)
  const first = readInteger(i, `${what}.i`, Number.MAX_SAFE_INTEGER)
  const list = readList(e, `${what}.e`)
  if (list.length > MAX_ELEMENTS)
    throw new ShapeError(`${what}.e: expected at most ${MAX_ELEMENTS} elements, got ${list.length}`)
  const revoked = list.map((each, k) => readBigInteger(each, () => `${what}.e[${k}]`))
  const bytes = readBytes(hash, `${what}.hash`, 'base64url', MAX_HASH_CHARACTERS)
  try {
    return chainEvents(first, checkHash(bytes, `${what}.hash`), revoked)
  } catch (cause) {
    if (cause instanceof RevocationDataError) throw new ShapeError(cause.message, { cause })
    throw cause
  }
}

/** Members are in the order of the wire.
 *  @param update with consecutive events */
export function writeUpdate({ signed, events }: RevocationUpdate): object {
  const [first] = events
  const list = first && {
    i: first.index,
    hash: writeBytes(first.parentHash, 'base64url'),
    e: events.map(({ e }) => toBase64(e)),
  }
  return { sacc: writeSignedAccumulator(signed), e: list }
}

/** @throws {ShapeError} */
export function readWitness(json: JsonValue | undefined, what: string): Witness {
  const { u, e, sacc } = readObject(json, what)
  return {
    u: readBigInteger(u, `${what}.u`),
    e: readBigInteger(e, `${what}.e`),
    signed: readSignedAccumulator(sacc, `${what}.sacc`),
  }
}

/** Members are in the order of the wire. */
export function writeWitness({ u, e, signed }: Witness): object {
  return { u: toBase64(u), e: toBase64(e), sacc: writeSignedAccumulator(signed), Updated: NEVER }
}

/** Reads a proof of non-revocation. Older apps also send alpha, which the disclosure already contains.
 *  @throws {ShapeError} */
export function readNonRevocation(json: JsonValue, what: string): NonRevocationProof {
  const { C_r, C_u, responses, sacc } = readObject(json, what)
  const { beta, delta, epsilon, zeta } = readObject(responses, `${what}.responses`)
  return {
    Cr: readBigInteger(C_r, `${what}.C_r`),
    Cu: readBigInteger(C_u, `${what}.C_u`),
    beta: readBigInteger(beta, `${what}.responses.beta`),
    delta: readBigInteger(delta, `${what}.responses.delta`),
    epsilon: readBigInteger(epsilon, `${what}.responses.epsilon`),
    zeta: readBigInteger(zeta, `${what}.responses.zeta`),
    signed: readSignedAccumulator(sacc, `${what}.sacc`),
  }
}

/** Members are in the order of the wire. */
export function writeNonRevocation({ Cr, Cu, signed, ...responses }: NonRevocationProof): object {
  const { beta, delta, epsilon, zeta } = responses
  return {
    C_r: toBase64(Cr),
    C_u: toBase64(Cu),
    responses: {
      beta: toBase64(beta),
      delta: toBase64(delta),
      epsilon: toBase64(epsilon),
      zeta: toBase64(zeta),
    },
    sacc: writeSignedAccumulator(signed),
  }
}
