/** The secrets of an account (spec/keyshare-server#11.1), as a record and in memory. The device key is secret too, because it identifies the
 *  device. @module */
import { hash } from 'node:crypto'
import { decode } from 'cborg'
import { bytesOf, integerOf, isSameBytes, leftPadded } from '../crypto/bytes.ts'
import { writeCbor } from '../crypto/cbor.ts'
import { isKeyshareSecret } from '../crypto/keyshare/secrets.ts'
import { MAX_PIN_BYTES } from '../protocol/keyshare/claims.ts'
import { isReplayed } from '../sessions/stored-answer.ts'
import { RecordError } from './record-error.ts'

export type AccountSecrets = {
  /** as the app sent it, which is a salted hash: 64 bytes, padded with leading zeros */
  readonly pin: Uint8Array
  /** m_k, the keyshare server's half of the user's secret key */
  readonly mk: bigint
  /** the name of the account in an authentication JWT: 32 bytes */
  readonly tokenId: Uint8Array
  /** DER of a SubjectPublicKeyInfo; null: the account was registered without a key (spec/interface#9.5) */
  readonly deviceKey: Uint8Array | null
  /** the call that set the PIN; left out: the registration set it, or an older server */
  readonly pinChange?: PinChangeMade
}

/** Identifies the last change of PIN, so that a repeated call gets the same answer. */
export type PinChangeMade = {
  /** SHA-256 of the call */
  readonly callHash: Uint8Array
  /** Unix ms */
  readonly at: number
}

export const TOKEN_ID_BYTES = 32
/** The length of a call's hash. */
const HASH_BYTES = 32
/** The length of a secret in the record. It does not depend on the value, so that all records are equally long. */
const SECRET_BYTES = 64

/** @param pin as the app sent it
 *  @param tokenId 32 random bytes
 *  @throws {RangeError} if the PIN, the token id or m_k has a wrong length */
export function newSecrets(
  pin: string,
  { mk, tokenId, deviceKey }: Omit<AccountSecrets, 'pin'>,
): AccountSecrets {
  if (!isKeyshareSecret(mk)) throw new RangeError('m_k: expected an integer below 2^255')
  return { pin: paddedPin(pin), mk, tokenId: checkedTokenId(tokenId), deviceKey }
}

/** The secrets after a change of PIN. The new token id invalidates all authentication JWTs.
 *  @param tokenId as `newSecrets`
 *  @param pinChange left out: a repetition of the call is not recognised
 *  @throws {RangeError} as `newSecrets` */
export function withPin(
  secrets: AccountSecrets,
  pin: string,
  tokenId: Uint8Array,
  pinChange?: PinChangeMade,
): AccountSecrets {
  const { mk, deviceKey } = secrets
  return {
    pin: paddedPin(pin),
    mk,
    tokenId: checkedTokenId(tokenId),
    deviceKey,
    ...(pinChange && { pinChange }),
  }
}

/** True if this call made the change of PIN within the last 90 s. */
export function isRepeatedChange({ pinChange }: AccountSecrets, callHash: Uint8Array, now: number): boolean {
  return pinChange !== undefined && isReplayed(pinChange.at, now) && isSameBytes(pinChange.callHash, callHash)
}

/** True if the PIN is right; in constant time. The newline at its end is part of it. */
export function isPin(secrets: AccountSecrets, pin: string): boolean {
  return isSameBytes(secrets.pin, paddedPin(pin))
}

/** True if the token id is the one of this account; in constant time. */
export function isTokenId(secrets: AccountSecrets, tokenId: Uint8Array): boolean {
  return isSameBytes(secrets.tokenId, tokenId)
}

/** The key under which an account is found if a call does not name the user (spec/decisions#k6). It is public, unlike the token id. */
export function hashOfTokenId(tokenId: Uint8Array): string {
  return hash('sha256', tokenId)
}

function paddedPin(pin: string): Uint8Array {
  return leftPadded(Buffer.from(pin), MAX_PIN_BYTES, 'PIN')
}

function checkedTokenId(tokenId: Uint8Array): Uint8Array {
  if (tokenId.length !== TOKEN_ID_BYTES)
    throw new RangeError(`token id: expected ${TOKEN_ID_BYTES} bytes, got ${tokenId.length}`)
  return tokenId
}

/** The record before encryption. */
export function writeSecrets({ pin, mk, tokenId, deviceKey, pinChange }: AccountSecrets): Uint8Array {
  return writeCbor({
    Pin: pin,
    KeyshareSecret: leftPadded(bytesOf(mk), SECRET_BYTES, 'm_k'),
    ID: tokenId,
    PublicKey: deviceKey,
    ...(pinChange && { PinChangeHash: pinChange.callHash, PinChangeAt: pinChange.at }),
  })
}

/** Reads records of `writeSecrets` and older layouts: without `PublicKey` or the change of PIN, and with a shorter `KeyshareSecret`.
 *  @throws {RecordError} */
export function readSecrets(record: Uint8Array): AccountSecrets {
  const members = decodedRecord(record)
  const bytes = (name: string, isRight: (length: number) => boolean): Uint8Array => {
    const value = members.get(name)
    if (value instanceof Uint8Array && isRight(value.length)) return value
    throw damaged(`bytes of the right length in ${name}`)
  }
  const mk = integerOf(bytes('KeyshareSecret', length => length <= SECRET_BYTES))
  if (!isKeyshareSecret(mk)) throw damaged('a KeyshareSecret below 2^255')
  const hasKey = (members.get('PublicKey') ?? null) !== null
  const changedAt = members.get('PinChangeAt')
  return {
    pin: bytes('Pin', length => length === MAX_PIN_BYTES),
    mk,
    tokenId: bytes('ID', length => length === TOKEN_ID_BYTES),
    deviceKey: hasKey ? bytes('PublicKey', length => length > 0) : null,
    ...(typeof changedAt === 'number' && {
      pinChange: { callHash: bytes('PinChangeHash', length => length === HASH_BYTES), at: changedAt },
    }),
  }
}

function decodedRecord(record: Uint8Array): ReadonlyMap<unknown, unknown> {
  const value = decodedCbor(record)
  if (value instanceof Map) return value
  throw damaged('a map')
}

function decodedCbor(record: Uint8Array): unknown {
  try {
    return decode(record, { strict: true, allowIndefinite: false, useMaps: true })
  } catch {
    throw damaged('CBOR') // the caught message may quote decrypted data
  }
}

function damaged(expected: string): RecordError {
  return new RecordError(`record of an account: expected ${expected}, got something else`)
}
