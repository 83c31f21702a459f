/** Randomness as an argument, asked for in a documented order, so that a recorded exchange can be replayed. @module */

export interface Randomness {
  /** 20 characters of a-z, A-Z, 0-9; secret */
  token(): string
  /** 4 digits */
  pairingCode(): string
  /** uniform below 2^128 */
  nonce(): bigint
  /** that many fresh bytes of a cryptographic source */
  bytes(count: number): Uint8Array
}
