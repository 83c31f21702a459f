/** The source of randomness of a running server: the only place, with the wallet's commands, that asks the system for random bytes.
 *  Replays of recorded exchanges use another source of the same form. @module */
import { randomBytes } from 'node:crypto'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const TOKEN_LENGTH = 20
const PAIRING_CODE_LENGTH = 4
const NONCE_BYTES = 16

/** Each character uniform: bytes that would favour the first characters are thrown away. */
function randomText(alphabet: string, length: number): string {
  const bound = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length - text.length))
      if (byte < bound) text += alphabet[byte % alphabet.length]
  return text
}

/** 20 characters of 62, 119 bits; secret. */
export function token(): string {
  return randomText(LETTERS, TOKEN_LENGTH)
}

/** Four digits, leading zeros included. */
export function pairingCode(): string {
  return randomText('0123456789', PAIRING_CODE_LENGTH)
}

/** Challenge of a session, uniform below 2^128. */
export function nonce(): bigint {
  return BigInt(`0x${randomBytes(NONCE_BYTES).toString('hex')}`)
}

export function bytes(count: number): Uint8Array {
  return randomBytes(count)
}
