/** Powers of a key's bases, listed as base and exponent, for arithmetic without tables. @module */
import type { IssuerPublicKey } from '../public-key.ts'
import type { BasePowers, Power } from './arithmetic.ts'

/** @throws {RangeError} for an index without a base; for G or H of a key that does not support revocation */
export function listedPowers(
  { S: baseS, R: basesR, revocation }: IssuerPublicKey,
  { S, R, G, H, others = [] }: BasePowers,
): readonly Power[] {
  const powers = [...others]
  if (S !== undefined) powers.push({ base: baseS, exponent: S })
  for (const [base, exponent] of [[revocation?.G, G] as const, [revocation?.H, H] as const]) {
    if (exponent === undefined) continue
    if (base === undefined) throw new RangeError('key: expected one that supports revocation')
    powers.push({ base, exponent })
  }
  for (const [index, exponent] of R ?? []) {
    const base = basesR[index]
    if (base === undefined) throw new RangeError(`base index: expected below ${basesR.length}, got ${index}`)
    powers.push({ base, exponent })
  }
  return powers
}
