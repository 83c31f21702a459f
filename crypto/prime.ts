/** Primes: a test, and the random primes that signatures need (cryptography note, section 6.1). @module */
import { createHash } from 'node:crypto'
import type { Arithmetic } from './bignum/arithmetic.ts'
import { bitLength, bytesOf, integerOf } from './bytes.ts'
import { type RandomBytes, randomInteger } from './random.ts'

const SIEVE_LIMIT = 8_000
/** Odd numbers looked at from one random start; among them are three primes of 600 bits on average. */
const WINDOW = 512
/** A composite passes one round with probability 1/4 at most, whoever chose it. */
const ROUNDS = 64
/** Of random composites of these sizes far fewer pass a round: 20 leave a chance below 2^-100. */
const ROUNDS_FOR_RANDOM = 20

const oddPrimes: readonly number[] = (() => {
  const isComposite = new Uint8Array(SIEVE_LIMIT)
  const primes: number[] = []
  for (let i = 3; i < SIEVE_LIMIT; i += 2) {
    if (isComposite[i]) continue
    primes.push(i)
    for (let multiple = i * i; multiple < SIEVE_LIMIT; multiple += 2 * i) isComposite[multiple] = 1
  }
  return primes
})()

/** The same bases for the same x on every platform; who wanted to fit a composite to them would try 4^rounds of them. */
function millerRabinBase(x: bigint, round: number): bigint {
  const blocks = Math.ceil(bitLength(x) / 256)
  const hash = (block: number): Uint8Array =>
    createHash('sha256').update(`${round} ${block} `).update(bytesOf(x)).digest()
  const wide = integerOf(Buffer.concat(Array.from({ length: blocks }, (_, block) => hash(block))))
  return 2n + (wide % (x - 3n))
}

function passesMillerRabin(arithmetic: Arithmetic, x: bigint, base: bigint): boolean {
  let odd = x - 1n
  let twos = 0
  for (; odd % 2n === 0n; odd /= 2n) twos++
  let power = arithmetic.power(base, odd, x)
  if (power === 1n) return true
  for (let i = 0; i < twos; i++) {
    if (power === x - 1n) return true
    power = (power * power) % x
  }
  return false
}

/** Miller-Rabin; x is public, for the time says something about it. */
export function isProbablePrime(arithmetic: Arithmetic, x: bigint, rounds = ROUNDS): boolean {
  if (x < BigInt(SIEVE_LIMIT)) return x === 2n || oddPrimes.includes(Number(x))
  if (x % 2n === 0n || oddPrimes.some(prime => x % BigInt(prime) === 0n)) return false
  for (let round = 0; round < rounds; round++)
    if (!passesMillerRabin(arithmetic, x, millerRabinBase(x, round))) return false
  return true
}

/** Odd numbers from `start` on that no small prime divides. */
function* sieve(start: bigint): Generator<bigint> {
  const isComposite = new Uint8Array(WINDOW)
  for (const prime of oddPrimes) {
    const rest = Number(start % BigInt(prime))
    const distance = rest === 0 ? 0 : prime - rest
    for (let i = (distance % 2 === 0 ? distance : distance + prime) / 2; i < WINDOW; i += prime)
      isComposite[i] = 1
  }
  for (let i = 0; i < WINDOW; i++) if (isComposite[i] === 0) yield start + 2n * BigInt(i)
}

/** A random prime in [from, from + 2^bits), from an even number above 2^32. The window that begins at a random start is
 *  searched, then another one: primes after a long gap come up more often, which gives nobody a prime twice. */
export function randomPrime(
  arithmetic: Arithmetic,
  { from, bits }: { readonly from: bigint; readonly bits: number },
  randomBytes: RandomBytes,
): bigint {
  const end = from + 2n ** BigInt(bits)
  for (;;) {
    const start = from + (randomInteger(bits, randomBytes) | 1n)
    for (const candidate of sieve(start)) {
      if (candidate >= end) break
      if (arithmetic.power(2n, candidate - 1n, candidate) !== 1n) continue
      if (isProbablePrime(arithmetic, candidate, ROUNDS_FOR_RANDOM)) return candidate
    }
  }
}
