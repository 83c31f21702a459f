/** The modular arithmetic that the protocol needs, at the level of the protocol: a backend chooses how to calculate it. @module */
import type { IssuerPublicKey } from '../public-key.ts'

export type Power = { readonly base: bigint; readonly exponent: bigint }

/** Exponents >= 0 of the bases of a key, and of at most two bases that the key does not have. */
export type BasePowers = {
  /** the exponent of S, at most LvCommit + 1 bits */
  readonly S?: bigint
  /** the exponents of R_i by base index i, at most LmCommit + 3 bits */
  readonly R?: ReadonlyMap<number, bigint>
  /** the exponents of G and H of a key that supports revocation, at most Ln + 580 bits */
  readonly G?: bigint
  readonly H?: bigint
  /** any bases in 1 .. n-1; the caller bounds their exponents */
  readonly others?: readonly Power[]
}

export type KeyPowers = BasePowers & {
  /** the exponent of 1/Z, at most 256 bits */
  readonly inverseZ?: bigint
}

/** One number for each of the two secret factors p and q of a modulus, or the factors themselves. */
export type Halves = { readonly p: bigint; readonly q: bigint }

export type PowerByFactors = {
  readonly base: bigint
  readonly exponent: Halves
  /** the base belongs to the issuer's key and will be used again: numbers derived from it and the factors may be cached with them */
  readonly isFixed?: boolean
}

/** An issuer's key as sent to another thread; survives structured cloning. */
export type SharedKey = { readonly key: IssuerPublicKey; readonly tables?: SharedArrayBuffer }

/** Unless stated otherwise, numbers are >= 0, bases are below their modulus, and moduli are odd. Every method is synchronous. It throws RangeError for a number
 *  outside its range, but callers reject such numbers before. */
export interface Arithmetic {
  readonly name: 'openssl' | 'bigint'
  /** true if Node 24 would calculate about twice as fast on this processor */
  readonly isFasterOnNode24: boolean
  /** Product of powers mod n in one chain. The time depends on the exponents: public ones only. */
  keyProduct(key: IssuerPublicKey, powers: KeyPowers): bigint
  /** base^exponent mod modulus. The time depends on the exponent: public ones only. */
  power(base: bigint, exponent: bigint, modulus: bigint): bigint
  /** base^exponent mod modulus for a secret exponent. With OpenSSL the time depends only on its number of words. With BigInt the sequence of operations depends
   *  only on its length; BigInt itself promises nothing. */
  secretPower(base: bigint, exponent: bigint, modulus: bigint): bigint
  /** Product of powers mod p*q, from each exponent modulo p-1 and q-1, or modulo multiples of the order of the base. The factors are secret as well. The time
   *  is as for `secretPower`. */
  secretProductByFactors(powers: readonly PowerByFactors[], factors: Halves): bigint
  /** 1/x mod modulus for a public x; undefined if there is no inverse. */
  inverse(x: bigint, modulus: bigint): bigint | undefined
  /** The message that lets another thread use this thread's tables of a key. Cheap: each table is built by the first thread whose product needs it. */
  share(key: IssuerPublicKey): SharedKey
  /** The tables that this thread has of a key; undefined if it has none. No table is created. */
  tablesOf(key: IssuerPublicKey): SharedArrayBuffer | undefined
  /** The key of `share` in the thread that received it. Products with this key use the shared tables. */
  adopt(shared: SharedKey): IssuerPublicKey
}
