/** Says of an attribute-based signature that was kept what was signed, with which attributes, when, and whether that is so (`spec/cryptography.md` 12.6). It asks nobody:
 *  a timestamp counts when its key is among those that the caller trusts. @module */
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
  /** `VALID`: everything else here is so; otherwise nothing of it counts */
  readonly proofStatus: ProofStatus
  readonly message: string
  /** when it was stamped, Unix seconds; null: it bears no stamp and was judged as of now */
  readonly timeSec: number | null
  /** of its stamp, in Base64; null: it bears none */
  readonly timestampKey: string | null
  /** what was disclosed with it; none unless the numbers are right */
  readonly disclosed: readonly DisclosedAttribute[]
}

export type SignatureToVerify = {
  /** a signed message, or a session result that holds one: JSON */
  readonly text: string
  readonly schemes: Schemes
  /** Ed25519 keys of timestamp servers that are trusted */
  readonly stampKeys: readonly Uint8Array[]
  readonly nowSec: number
  readonly arithmetic: Arithmetic
}

/** @throws {Error} if it is no signature, or one with a key that its issuer does not have */
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

/** A session result holds the signed message as its `signature`, which in the message itself is a list. */
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
 *  @param option that held it */
export function parseStampKey(text: string, option: string): Uint8Array {
  const key = Buffer.from(text, 'base64')
  if (key.length !== ED25519_KEY_BYTES)
    throw new Error(`${option}: expected ${ED25519_KEY_BYTES} bytes in Base64, got ${key.length}`)
  return key
}
