/** Random blind attributes from their texts, which no product code needs: the inverse of what it writes. @module */

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** @param text base 62, most significant digit first */
export function encodeRandomBlind(text: string): bigint {
  return [...text].reduce((value, digit) => value * 62n + BigInt(DIGITS.indexOf(digit)), 0n)
}
