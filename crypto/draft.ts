/** The part that both kinds of proofs share on the prover's side (spec/cryptography#7): exponents that stay hidden behind randomizers. All of it is
 *  secret. Nothing here checks input of another party. @module */
import type { Arithmetic, BasePowers } from './bignum/arithmetic.ts'
import { listedPowers } from './bignum/listed-powers.ts'
import type { IssuerPublicKey } from './public-key.ts'
import { type RandomBytes, randomInteger } from './random.ts'

/** The numbers that one proof adds to the challenge: its own number (A or U), its commitment (Z~ or U~), then those of non-revocation. */
export type Contribution = readonly [number: bigint, commitment: bigint, ...nonRevocation: readonly bigint[]]

/** A proof before the challenge is known. `respond` may be called once. */
export type Draft<Proof> = { readonly contribution: Contribution; readonly respond: (c: bigint) => Proof }

/** An exponent and its randomizer. The randomizer serves one challenge: two answers reveal the value. */
export type HiddenExponent = { readonly value: bigint; readonly randomizer: bigint }

/** @param bits length of the randomizer */
export function hide(value: bigint, bits: number, randomBytes: RandomBytes): HiddenExponent {
  return { value, randomizer: randomInteger(bits, randomBytes) }
}

/** The response to challenge c, over the integers. */
export function respond({ value, randomizer }: HiddenExponent, c: bigint): bigint {
  return randomizer + c * value
}

/** Product of powers mod n for secret exponents. No table is used, and each power takes constant time.
 *  @throws {RangeError} for an index without a base; for G or H of a key that does not support revocation */
export function secretProduct(arithmetic: Arithmetic, key: IssuerPublicKey, powers: BasePowers): bigint {
  const { n } = key
  return listedPowers(key, powers).reduce(
    (product, { base, exponent }) => (product * arithmetic.secretPower(base, exponent, n)) % n,
    1n,
  )
}

export function mapValues<K, A, B>(map: ReadonlyMap<K, A>, by: (value: A) => B): Map<K, B> {
  return new Map([...map].map(([key, value]) => [key, by(value)]))
}
