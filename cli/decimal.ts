/** Numbers that a user types: decimal digits without a leading zero, because `0x10` or `1e3` is more often a mistake than a number. @module */

/** @returns NaN for every other text */
export function decimalIn(text: string): number {
  return /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN
}
