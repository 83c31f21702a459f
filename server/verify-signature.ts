/** Checks attribute-based signatures inside another program, without a server: the clock and the arithmetic are those of this machine. @module */
import { chooseArithmetic } from '../crypto/bignum/choose.ts'
import { createSystemClock } from '../ports/clock.ts'
import type { Schemes } from '../schemes/types.ts'
import { parseStampKey, type SignatureFacts, verifyKeptSignature } from '../sessions/verify-signature.ts'

export type VerifySignatureOptions = {
  /** the schemes at the time of the signature, or later ones, because an issuer's key stays in its scheme */
  readonly schemes: Schemes
  /** Ed25519 keys of timestamp servers that are trusted, in Base64; left out: none, so that a signature with a stamp is not valid */
  readonly timestampKeys?: readonly string[]
  /** the time at which the attributes of a signature without a stamp must be valid; left out: now */
  readonly currentDate?: Date
}

/** Returns the signed message, the attributes, the time and the validity. It makes no network call.
 *  @param signature a signed message, or a session result that holds one: as JSON text, or parsed
 *  @throws {Error} if it is no signature, or one with a key that its issuer does not have
 *  @example
 *  const { proofStatus, message, disclosed } = await verifySignature(stored, { schemes, timestampKeys })
 *  const isSigned = proofStatus === 'VALID' && message === expected */
export async function verifySignature(
  signature: string | object,
  { schemes, timestampKeys = [], currentDate }: VerifySignatureOptions,
): Promise<SignatureFacts> {
  const nowMs = currentDate?.getTime() ?? createSystemClock().wallNow()
  return verifyKeptSignature({
    schemes,
    nowSec: Math.floor(nowMs / 1_000),
    arithmetic: chooseArithmetic('auto'),
    text: typeof signature === 'string' ? signature : JSON.stringify(signature),
    stampKeys: timestampKeys.map(key => parseStampKey(key, 'timestampKeys')),
  })
}
