/** Randomness as an argument, asked for in a documented order, so that a recorded exchange can be replayed; and the source of a running program.
 *  @module */
import { randomBytes, randomFillSync } from 'node:crypto'

export interface Randomness {
  /** 20 characters of a-z, A-Z, 0-9, which are 119 bits; secret */
  token(): string
  /** 4 digits, leading zeros included */
  pairingCode(): string
  /** uniform below 2^128 */
  nonce(): bigint
  /** that many fresh bytes of a cryptographic source */
  bytes(count: number): Uint8Array
}

/** What a keyshare server asks for besides. */
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
/** The bytes of about ten sessions: asking the system costs as much for all of them as for those of one token. */
const POOL_BYTES = 1_024

/** Bytes that are fetched from their source a pool at a time. A byte is handed out once, and wiped from the pool then.
 *  @param fill fills the whole pool from a cryptographic source
 *  @returns takes that many bytes, at most a pool; a copy */
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

/** The random bytes of the operating system. */
export const systemRandomness: AccountRandomness = {
  token: () => randomText(LETTERS, TOKEN_LENGTH),
  pairingCode: () => randomText(DIGITS, PAIRING_CODE_LENGTH),
  nonce: () => BigInt(`0x${take(NONCE_BYTES).toString('hex')}`),
  bytes: count => randomBytes(count),
  userName: () => randomText(LETTERS, USER_NAME_LENGTH),
}

/** Each character uniform: bytes that would favour the first characters are thrown away. */
function randomText(alphabet: string, length: number): string {
  const bound = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length)
    for (const byte of take(length - text.length)) if (byte < bound) text += alphabet[byte % alphabet.length]
  return text
}
