/** Verifies a stored attribute-based signature (spec/cryptography#12.6) and returns its message, attributes and time. It makes no network calls:
 *  a timestamp counts if the caller trusts its key. @module */
import type { Arithmetic } from '../crypto/bignum/arithmetic.ts'
import { verifyProofs } from '../crypto/proof-list.ts'
import { timestampNonce } from '../crypto/timestamp.ts'
import { parseSignedMessage } from '../protocol/signed-message.ts'
import type { Schemes } from '../schemes/types.ts'
import { checkStoredSignature } from './check-signature.ts'
import type { DisclosedAttribute } from './disclosed.ts'
import type { ProofStatus } from './result.ts'

const ED25519_KEY_BYTES = 32

export type SignatureFacts = {
  /** `VALID`: all other members are proved; otherwise none of them counts */
  readonly proofStatus: ProofStatus
  readonly message: string
  /** time of the timestamp, Unix seconds; null: there is none, and the signature was judged as of now */
  readonly timeSec: number | null
  /** key of the timestamp, in Base64; null: there is no timestamp */
  readonly timestampKey: string | null
  /** the attributes disclosed with it; empty unless the proofs are right */
  readonly disclosed: readonly DisclosedAttribute[]
}

export type SignatureToVerify = {
  /** a signed message, or a session result that holds one: JSON */
  readonly text: string
  readonly schemes: Schemes
  /** trusted Ed25519 keys of timestamp servers */
  readonly stampKeys: readonly Uint8Array[]
  readonly nowSec: number
  readonly arithmetic: Arithmetic
}

/** @throws {Error} if the text is not a signature, or names a key that its issuer does not have */
export async function verifyKeptSignature(kept: SignatureToVerify): Promise<SignatureFacts> {
  const { schemes, stampKeys, nowSec, arithmetic } = kept
  const text = signedMessageIn(kept.text)
  const { message, timestamp } = parseSignedMessage(text)
  const { proofStatus, disclosed = [] } = await checkStoredSignature(
    { text, stampKeys, nowSec, schemes },
    {
      verify: async list => verifyProofs(arithmetic, list),
      timestampNonce: async stamped => timestampNonce(stamped, arithmetic),
    },
  )
  return {
    proofStatus,
    message,
    timeSec: timestamp?.timeSec ?? null,
    timestampKey: timestamp && Buffer.from(timestamp.publicKey).toString('base64'),
    disclosed: disclosed.flatMap(one => one ?? []),
  }
}

/** A session result holds the signed message in its member `signature`. In a signed message, `signature` is a list. */
function signedMessageIn(text: string): string {
  const json = parsed(text)
  if (typeof json !== 'object' || json === null || !('signature' in json) || json.signature === null)
    throw new Error('signature: expected a signed message, or a session result that holds one, got neither')
  return Array.isArray(json.signature) ? text : JSON.stringify(json.signature)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('signature: expected a signed message in JSON, got something else')
  }
}

/** @param text Base64
 *  @param option name of the option that held it */
export function parseStampKey(text: string, option: string): Uint8Array {
  const key = Buffer.from(text, 'base64')
  if (key.length !== ED25519_KEY_BYTES)
    throw new Error(`${option}: expected ${ED25519_KEY_BYTES} bytes in Base64, got ${key.length}`)
  return key
}
