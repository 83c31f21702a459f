/** Keys of devices (spec/keyshare-server#3.3): only P-256, in the one encoding that apps send. @module */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { SPKI_P256 } from '../crypto/issuer-key.ts'
import { InvalidRequestError } from '../protocol/errors.ts'

const DER_BYTES = 91
/** The first byte of an uncompressed point. */
const UNCOMPRESSED = 4

/** Parsed keys are cached, because parsing takes as long as checking a signature. */
const keys = new LRUCache<string, KeyObject>({
  max: 4_096,
  memoMethod: der => createPublicKey({ key: Buffer.from(der, 'hex'), format: 'der', type: 'spki' }),
})

/** @param der as the app registered it
 *  @returns the same object as long as it is cached
 *  @throws {InvalidRequestError} for any other kind of key, and for a point that is not on the curve */
export function deviceKey(der: Uint8Array): KeyObject {
  const bytes = Buffer.from(der)
  const isP256 = bytes.length === DER_BYTES && bytes.subarray(0, SPKI_P256.length).equals(SPKI_P256)
  if (!isP256 || bytes[SPKI_P256.length] !== UNCOMPRESSED)
    throw new InvalidRequestError(
      'publickey: expected the DER of a P-256 public key of 91 bytes, got something else',
    )
  try {
    return keys.memo(bytes.toString('hex'))
  } catch (cause) {
    throw new InvalidRequestError('publickey: expected a point of P-256, got another one', { cause })
  }
}
