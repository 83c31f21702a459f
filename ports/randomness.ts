/** Randomness as an argument, requested in a documented order so that a recorded exchange can be replayed; and the source for production. @module */
import { randomBytes, randomFillSync } from 'node:crypto'

export interface Randomness {
  /** 20 characters of a-z, A-Z, 0-9, which are 119 bits; secret */
  token(): string
  /** 4 digits, leading zeros included */
  pairingCode(): string
  /** uniform below 2^128 */
  nonce(): bigint
  /** that many fresh bytes from a cryptographic source */
  bytes(count: number): Uint8Array
}

/** The additional randomness of a keyshare server. */
export interface AccountRandomness extends Randomness {
  /** 12 characters of a-z, A-Z, 0-9: the name of a new user */
  userName(): string
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const DIGITS = '0123456789'
const TOKEN_LENGTH = 20
const PAIRING_CODE_LENGTH = 4
const USER_NAME_LENGTH = 12
const NONCE_BYTES = 16
/** Enough bytes for about ten sessions. A request to the system for all of them costs as much as one for a single token. */
const POOL_BYTES = 1_024

/** Reads bytes from their source one pool at a time. Each byte is handed out once and then erased from the pool.
 *  @param fill fills the whole pool from a cryptographic source
 *  @returns a function that returns a copy of that many bytes, at most one pool */
export function pooledBytes(fill: (pool: Uint8Array) => void): (count: number) => Buffer {
  const pool = Buffer.alloc(POOL_BYTES)
  let used = POOL_BYTES
  return count => {
    if (count > POOL_BYTES) throw new RangeError(`expected at most ${POOL_BYTES} bytes, got ${count}`)
    if (used + count > POOL_BYTES) {
      fill(pool)
      used = 0
    }
    const taken = Buffer.from(pool.subarray(used, used + count))
    pool.fill(0, used, used + count)
    used += count
    return taken
  }
}

const take = pooledBytes(randomFillSync)

/** The randomness of the operating system. */
export const systemRandomness: AccountRandomness = {
  token: () => randomText(LETTERS, TOKEN_LENGTH),
  pairingCode: () => randomText(DIGITS, PAIRING_CODE_LENGTH),
  nonce: () => BigInt(`0x${take(NONCE_BYTES).toString('hex')}`),
  bytes: count => randomBytes(count),
  userName: () => randomText(LETTERS, USER_NAME_LENGTH),
}

/** Each character is uniform: bytes that would favour the first characters are discarded. */
function randomText(alphabet: string, length: number): string {
  const bound = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length)
    for (const byte of take(length - text.length)) if (byte < bound) text += alphabet[byte % alphabet.length]
  return text
}
