/** Issuance records (spec/cryptography#14.3 and #14.7): an authority finds the number to revoke in them. The issuer signs them; another party may
 *  store them. @module */
import { checkPrimeSync } from 'node:crypto'
import { bytesOf } from '../bytes.ts'
import { writeCbor } from '../cbor.ts'
import type { IssuerPrivateKey, IssuerPublicKey } from '../public-key.ts'
import { WITNESS_BITS } from './accumulator.ts'
import { type CborReader, readCbor } from './cbor.ts'
import { RevocationDataError } from './error.ts'
import { openSigned, signBytes } from './signed-bytes.ts'

/** Times in Unix nanoseconds. */
export type IssuanceRecord = {
  /** the requestor's name for the credentials that are revoked together */
  readonly revocationKey: string
  readonly credentialType: string
  readonly issuedAtNs: bigint
  readonly keyCounter: number
  /** the credential's prime */
  readonly e: bigint
  readonly validUntilNs: bigint
  /** 0n: not revoked */
  readonly revokedAtNs: bigint
}

const MAX_REVOCATION_KEY_BYTES = 4096
const MAX_CREDENTIAL_TYPE_BYTES = 512
const PRIME_ROUNDS = 20

/** @throws {RangeError} for a key that does not support revocation */
export function signIssuanceRecord(record: IssuanceRecord, privateKey: IssuerPrivateKey): Uint8Array {
  const message = writeCbor({
    Key: record.revocationKey,
    CredType: record.credentialType,
    Issued: record.issuedAtNs,
    PKCounter: record.keyCounter,
    Attr: bytesOf(record.e),
    ValidUntil: record.validUntilNs,
    RevokedAt: record.revokedAtNs === 0n ? undefined : record.revokedAtNs,
  })
  return signBytes(message, privateKey)
}

/** @throws {RevocationDataError} with `isBadSignature` if the signature is invalid */
export function openIssuanceRecord(bytes: Uint8Array, key: IssuerPublicKey): IssuanceRecord {
  const message = openSigned(bytes, key, 'issuance record')
  return readCbor(message, 'issuance record', reader => {
    const isRevoked = reader.mapOf(6, 7) === 7
    reader.key('Key')
    const revocationKey = reader.text(MAX_REVOCATION_KEY_BYTES)
    reader.key('CredType')
    const credentialType = reader.text(MAX_CREDENTIAL_TYPE_BYTES)
    reader.key('Issued')
    const issuedAtNs = reader.unsigned64()
    reader.key('PKCounter')
    const keyCounter = reader.unsigned()
    reader.key('Attr')
    const e = primeIn(reader)
    reader.key('ValidUntil')
    const validUntilNs = reader.unsigned64()
    if (isRevoked) reader.key('RevokedAt')
    const revokedAtNs = isRevoked ? reader.unsigned64() : 0n
    return { revocationKey, credentialType, issuedAtNs, keyCounter, e, validUntilNs, revokedAtNs }
  })
}

function primeIn(reader: CborReader): bigint {
  const e = reader.natural(WITNESS_BITS)
  if (isCredentialPrime(e)) return e
  throw new RevocationDataError(`issuance record: ${EXPECTED_PRIME}`)
}

export const EXPECTED_PRIME = 'expected the prime of a credential, got another number'

/** Another number could not be revoked, and would block revoking the credentials with the same revocation key. */
export function isCredentialPrime(e: bigint): boolean {
  return e < 1n << BigInt(WITNESS_BITS) && checkPrimeSync(e, { checks: PRIME_ROUNDS })
}
