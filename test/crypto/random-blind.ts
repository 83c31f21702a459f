/** Encodes random blind attributes from their texts, the inverse of the product's function. Only tests need it. @module */

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** @param text base 62, most significant digit first */
export function encodeRandomBlind(text: string): bigint {
  return [...text].reduce((value, digit) => value * 62n + BigInt(DIGITS.indexOf(digit)), 0n)
}
