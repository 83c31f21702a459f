/** Safe primes for issuer keys (spec/cryptography#2.3): p = 2p' + 1 with both prime, found by sieving p' and p together. The candidates are secret, so
 *  powers are calculated in constant time. @module */
import type { Arithmetic } from './bignum/arithmetic.ts'
import { bitLength } from './bytes.ts'
import { isProbablePrime } from './prime.ts'
import { type RandomBytes, randomInteger } from './random.ts'

/** The bound of the sieving primes. Sieving further costs more than the powers that it saves. */
const SIEVE_LIMIT = 2 ** 18
/** The number of candidates p' of one search. */
const WINDOW = 2 ** 16

/** p mod 8. Only these values occur, because p' mod 8 is 3, 5 or 7. With p' = 1 mod 8, or two primes with equal remainders, the key could not be proved correct. */
export type RestOfEight = 3 | 7

/** The progressions p' = `rest` mod `step` in which p' is odd, and neither p' nor p is a multiple of 3. */
const PROGRESSIONS = { 3: { step: 24, rest: 5n }, 7: { step: 12, rest: 11n } } as const

export type SafePrimeSearch = {
  /** p, or null: none in this window */
  readonly p: bigint | null
  /** candidates that passed the sieve and were tested */
  readonly tested: number
}

type SearchedPrime = {
  /** length of p */
  readonly bits: number
  readonly rest: RestOfEight
  /** asked before each candidate: false ends the search without a prime */
  readonly isNeeded?: () => boolean
}

/** Searches the candidates after a random start. Most searches for 1024 bits find a prime, and about a third of those for 2048. p' starts with two ones, so the
 *  product of two such primes has exactly twice their bits. */
export function searchSafePrime(
  arithmetic: Arithmetic,
  { bits, rest, isNeeded = () => true }: SearchedPrime,
  randomBytes: RandomBytes,
): SafePrimeSearch {
  const progression = PROGRESSIONS[rest]
  const step = BigInt(progression.step)
  const random = randomInteger(bits - 1, randomBytes) | (3n << BigInt(bits - 3))
  const from = random - (random % step) + progression.rest
  let tested = 0
  for (const index of sieve(from, progression.step)) {
    if (!isNeeded()) break
    tested++
    const p = 2n * (from + step * BigInt(index)) + 1n
    if (bitLength(p) === bits && isSafePrime(arithmetic, p)) return { p, tested }
  }
  return { p: null, tested }
}

/** If p' is a prime, 2^(p-1) = 1 mod p proves that p is one (Pocklington). */
function isSafePrime(arithmetic: Arithmetic, p: bigint): boolean {
  const half = (p - 1n) / 2n
  const { secretPower } = arithmetic
  if (secretPower(2n, half - 1n, half) !== 1n || secretPower(2n, p - 1n, p) !== 1n) return false
  return isProbablePrime({ ...arithmetic, power: secretPower }, half)
}

/** Indices i below the window for which no small prime divides from + step * i or twice that plus 1. */
function* sieve(from: bigint, step: number): Generator<number> {
  const isComposite = new Uint8Array(WINDOW)
  for (const prime of smallPrimes()) {
    const inverse = inverseOf(step % prime, prime)
    const rest = Number(from % BigInt(prime))
    for (const target of [0, (prime - 1) / 2])
      for (let at = ((target - rest + prime) * inverse) % prime; at < WINDOW; at += prime) isComposite[at] = 1
  }
  for (let i = 0; i < WINDOW; i++) if (isComposite[i] === 0) yield i
}

let primes: Uint32Array | undefined

/** The primes from 5 up to the limit. */
function smallPrimes(): Uint32Array {
  if (primes) return primes
  const isComposite = new Uint8Array(SIEVE_LIMIT)
  const found: number[] = []
  for (let i = 3; i < SIEVE_LIMIT; i += 2) {
    if (isComposite[i]) continue
    if (i > 3) found.push(i)
    for (let multiple = i * i; multiple < SIEVE_LIMIT; multiple += 2 * i) isComposite[multiple] = 1
  }
  primes = Uint32Array.from(found)
  return primes
}

/** 1/x modulo a small prime, by Euclid. */
function inverseOf(x: number, prime: number): number {
  let [previous, rest] = [prime, x]
  let [before, factor] = [0, 1]
  while (rest !== 0) {
    const quotient = Math.floor(previous / rest)
    ;[previous, rest] = [rest, previous - quotient * rest]
    ;[before, factor] = [factor, before - quotient * factor]
  }
  return before < 0 ? before + prime : before
}
