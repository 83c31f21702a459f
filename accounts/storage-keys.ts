/** Storage keys, which encrypt the records of accounts (spec/keyshare-server#11.2 to #11.4): neither the database nor the keys reveal a secret
 *  alone. The primary key encrypts; older keys only decrypt. Older keys must be kept as safe, because their holder can forge records. @module */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import { RecordError } from './record-error.ts'

/** AES-256; secret. */
export type StorageKey = { readonly id: number; readonly key: KeyObject }

export type StorageKeys = { readonly primary: StorageKey; readonly older: readonly StorageKey[] }

const ID_BYTES = 4
const KEY_BYTES = 32
export const NONCE_BYTES = 12
const TAG_BYTES = 16
const ALGORITHM = 'aes-256-gcm'

/** The bytes of a key file: the number of the key, little-endian, and the key.
 *  @param key 32 random bytes
 *  @throws {RangeError} if the key has another length, or if the number does not fit in 32 bits */
export function storageKeyFile(id: number, key: Uint8Array): Uint8Array {
  if (key.length !== KEY_BYTES)
    throw new RangeError(`storage key: expected ${KEY_BYTES} bytes, got ${key.length}`)
  return Buffer.concat([idBytes(id), key])
}

/** @throws {RangeError} if a file has another length */
export function parseStorageKey(file: Uint8Array): StorageKey {
  if (file.length !== ID_BYTES + KEY_BYTES)
    throw new RangeError(`storage key file: expected ${ID_BYTES + KEY_BYTES} bytes, got ${file.length}`)
  return { id: idIn(file), key: createSecretKey(file.subarray(ID_BYTES)) }
}

/** @param older may include the primary key
 *  @throws {RangeError} if two different keys have the same number, because a record names its key by the number */
export function storageKeys(primary: StorageKey, older: readonly StorageKey[]): StorageKeys {
  const all = [primary, ...older]
  for (const [i, { id, key }] of all.entries())
    if (all.slice(0, i).some(other => other.id === id && !other.key.equals(key)))
      throw new RangeError(
        `storage keys: expected another number for each key, got two keys with number ${id}: make a new key with another number (svc keyshare keygen storage --counter)`,
      )
  return { primary, older }
}

/** @param nonce 12 fresh random bytes: two messages with the same nonce and key reveal both
 *  @param boundTo purpose of the sealed bytes; empty for records of accounts in the recorded form, which is older than this server
 *  @returns key id, nonce, ciphertext and tag */
export function seal(
  plain: Uint8Array,
  { primary }: StorageKeys,
  nonce: Uint8Array,
  boundTo: string | Uint8Array = '',
): Uint8Array {
  if (nonce.length !== NONCE_BYTES)
    throw new RangeError(`nonce: expected ${NONCE_BYTES} bytes, got ${nonce.length}`)
  const cipher = createCipheriv(ALGORITHM, primary.key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(asBytes(boundTo))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([idBytes(primary.id), nonce, text, cipher.getAuthTag()])
}

/** @param boundTo the same as for `seal`
 *  @returns the plain bytes; secret
 *  @throws {RecordError} if the key is not configured, or if the bytes are damaged or were sealed for another purpose */
export function unseal(sealed: Uint8Array, keys: StorageKeys, boundTo: string | Uint8Array = ''): Uint8Array {
  const textAt = ID_BYTES + NONCE_BYTES
  const tagAt = sealed.length - TAG_BYTES
  if (tagAt < textAt) throw new RecordError('sealed bytes: expected key id, nonce and tag, got fewer bytes')
  const id = idIn(sealed)
  const found = [keys.primary, ...keys.older].find(each => each.id === id)
  if (found === undefined)
    throw new RecordError(
      `Key identifier unknown: expected the storage key with number ${id} as the primary one or in the folder of older ones, got none`,
    )
  const cipher = createDecipheriv(ALGORITHM, found.key, sealed.subarray(ID_BYTES, textAt), {
    authTagLength: TAG_BYTES,
  })
  cipher.setAAD(asBytes(boundTo))
  cipher.setAuthTag(sealed.subarray(tagAt))
  const text = cipher.update(sealed.subarray(textAt, tagAt))
  try {
    return Buffer.concat([text, cipher.final()])
  } catch (cause) {
    throw new RecordError(
      `sealed bytes: expected bytes that storage key ${id} sealed for this record, got others`,
      { cause },
    )
  }
}

function asBytes(boundTo: string | Uint8Array): Uint8Array {
  return typeof boundTo === 'string' ? Buffer.from(boundTo) : boundTo
}

function idBytes(id: number): Uint8Array {
  const bytes = Buffer.alloc(ID_BYTES)
  bytes.writeUInt32LE(id)
  return bytes
}

function idIn(bytes: Uint8Array): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, ID_BYTES).readUInt32LE()
}
