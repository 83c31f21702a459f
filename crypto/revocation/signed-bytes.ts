/** Bytes with an issuer's ECDSA signature: accumulators and issuance records (spec/cryptography#14.1). @module */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { writeCbor } from '../cbor.ts'
import type { IssuerPrivateKey, IssuerPublicKey } from '../public-key.ts'
import { readCbor } from './cbor.ts'
import { RevocationDataError } from './error.ts'

/** The longest message: an accumulator of 4096 bits, or an issuance record. */
const MAX_MESSAGE = 2 ** 13
/** The longest signature: the DER of two integers below the order of P-256. */
const MAX_SIGNATURE = 72
/** The bytes of the CBOR around message and signature. */
const FRAME = 32
export const MAX_SIGNED = MAX_MESSAGE + MAX_SIGNATURE + FRAME

/** Every signature has its own random number, drawn by OpenSSL.
 *  @throws {RangeError} for a key that does not support revocation */
export function signBytes(message: Uint8Array, { ecdsa }: IssuerPrivateKey): Uint8Array {
  if (ecdsa === undefined) throw new RangeError('private key: expected one that supports revocation')
  const key = createPrivateKey({ key: Buffer.from(ecdsa, 'base64'), format: 'der', type: 'sec1' })
  return writeCbor({ Msg: message, Sig: new Uint8Array(sign('sha256', message, key)) })
}

/** Message and signature, not verified. */
export function readSigned(bytes: Uint8Array, what: string): { Msg: Uint8Array; Sig: Uint8Array } {
  return readCbor(bytes, what, reader => {
    reader.mapOf(2)
    reader.key('Msg')
    const Msg = reader.bytes(MAX_MESSAGE)
    reader.key('Sig')
    return { Msg, Sig: reader.bytes(MAX_SIGNATURE) }
  })
}

/** The verified message. OpenSSL accepts only the DER encoding of a signature.
 *  @throws {RevocationDataError} */
export function openSigned(bytes: Uint8Array, { revocation }: IssuerPublicKey, what: string): Uint8Array {
  const { Msg, Sig } = readSigned(bytes, what)
  if (revocation === undefined)
    throw new RevocationDataError(`${what}: expected a key that supports revocation, got one that does not`)
  if (verify('sha256', Msg, ecdsaKeys.memo(revocation.ecdsa), Sig)) return Msg
  const message = `${what}: expected a signature of the issuer, got another one`
  throw new RevocationDataError(message, { isBadSignature: true })
}

/** Cached, because creating a key takes as long as a verification. */
const ecdsaKeys = new LRUCache<string, KeyObject>({
  max: 64,
  memoMethod: ecdsa => createPublicKey({ key: Buffer.from(ecdsa, 'base64'), format: 'der', type: 'spki' }),
})
