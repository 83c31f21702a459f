/** The modular arithmetic that the protocol needs, at its own level: a backend is free in how it gets there. @module */
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

/** A number for each of two secret factors p and q of a modulus, or the factors themselves. */
export type Halves = { readonly p: bigint; readonly q: bigint }

export type PowerByFactors = {
  readonly base: bigint
  readonly exponent: Halves
  /** it is a base of the issuer's key and comes again: what is calculated from it and the factors alone may be kept with them */
  readonly isFixed?: boolean
}

/** An issuer's key on its way to another thread; survives structured cloning. */
export type SharedKey = { readonly key: IssuerPublicKey; readonly tables?: SharedArrayBuffer }

/** Numbers are >= 0 and bases below their modulus unless said. Modules are odd. Every method is synchronous and throws
 *  RangeError for a number outside its range: such numbers are refused before they come here. */
export interface Arithmetic {
  readonly name: 'openssl' | 'bigint'
  /** Product of powers mod n in one chain. Time depends on the exponents: public ones only. */
  keyProduct(key: IssuerPublicKey, powers: KeyPowers): bigint
  /** base^exponent mod modulus. Time depends on the exponent: public ones only. */
  power(base: bigint, exponent: bigint, modulus: bigint): bigint
  /** base^exponent mod modulus for a secret exponent: with OpenSSL the time depends on its number of words alone, with BigInt
   *  the sequence of operations depends on its length alone (BigInt itself promises nothing). */
  secretPower(base: bigint, exponent: bigint, modulus: bigint): bigint
  /** Product of powers mod p*q, from each exponent modulo p-1 and q-1 (or modulo orders of which the base's is a divisor); both
   *  factors are secret too, and time is as of `secretPower`. */
  secretProductByFactors(powers: readonly PowerByFactors[], factors: Halves): bigint
  /** 1/x mod modulus, x public; undefined if there is none. */
  inverse(x: bigint, modulus: bigint): bigint | undefined
  /** What another thread needs to use this thread's tables of a key, for a message to it. Cheap: tables are built when a
   *  product first needs them, by whichever thread that is. */
  share(key: IssuerPublicKey): SharedKey
  /** The tables that this thread has of a key, undefined: none yet. Asking makes none. */
  tablesOf(key: IssuerPublicKey): SharedArrayBuffer | undefined
  /** The key of `share` in the thread that received it: products with it use the shared tables. */
  adopt(shared: SharedKey): IssuerPublicKey
}
