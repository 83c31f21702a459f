/** A primality test, and the random primes that signatures need (spec/cryptography#6.1). @module */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Arithmetic } from './bignum/arithmetic.ts'
import { type RandomBytes, randomInteger } from './random.ts'

/** The bound of the sieving primes. Sieving further costs more than the tests that it saves. */
const SIEVE_LIMIT = 65_536
/** The number of odd candidates after one random start. On average four of them are primes at 645 bits. */
const WINDOW = 1_024
/** The rounds for a number that another party chose: a composite passes one round with probability 1/4 at most. */
const ROUNDS = 64
/** The rounds for a random number, after the round with base 2. Far fewer random composites of these sizes pass a round: below 2^-75 at 600 bits (Damgard,
 *  Landrock, Pomerance 1993). */
const ROUNDS_FOR_RANDOM = 7

/** The hexadecimal digits of SHA-512. */
const HASH_DIGITS = 128

/** @returns a function that calculates the value at its first call: a server starts without primes */
function once<Value extends object>(calculate: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= calculate()
    return value
  }
}

const oddPrimes = once((): readonly number[] => {
  const isComposite = new Uint8Array(SIEVE_LIMIT)
  const primes: number[] = []
  for (let i = 3; i < SIEVE_LIMIT; i += 2) {
    if (isComposite[i]) continue
    primes.push(i)
    for (let multiple = i * i; multiple < SIEVE_LIMIT; multiple += 2 * i) isComposite[multiple] = 1
  }
  return primes
})

/** The remainders of x modulo each odd prime. */
function restsOf(x: bigint): Float64Array {
  return Float64Array.from(oddPrimes(), prime => Number(x % BigInt(prime)))
}

/** Derived from x: the same bases for the same x on every platform. An attacker who wants a composite to pass has to try 4^rounds of them. */
function millerRabinBase(x: bigint, round: number): bigint {
  const digits = x.toString(16)
  const blocks = Math.ceil(digits.length / HASH_DIGITS)
  const parts = Array.from({ length: blocks }, (_, block) => hash('sha512', `${round} ${block} ${digits}`))
  return 2n + (BigInt(`0x${parts.join('')}`) % (x - 3n))
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

function passesRounds(arithmetic: Arithmetic, x: bigint, rounds: number): boolean {
  for (let round = 0; round < rounds; round++)
    if (!passesMillerRabin(arithmetic, x, millerRabinBase(x, round))) return false
  return true
}

/** Miller-Rabin. x must be public: the time depends on it. */
export function isProbablePrime(arithmetic: Arithmetic, x: bigint, rounds = ROUNDS): boolean {
  if (x < BigInt(SIEVE_LIMIT)) return x === 2n || oddPrimes().includes(Number(x))
  if (x % 2n === 0n || oddPrimes().some(prime => x % BigInt(prime) === 0n)) return false
  return passesRounds(arithmetic, x, rounds)
}

/** The bits of a limb. The remainders of 1, 2^26, 2^52, ... are known, so a remainder takes one division, of numbers that JavaScript calculates exactly. */
const LIMB_BITS = 26
const MAX_BITS = 8 * LIMB_BITS
const restsOfLimbs = once(() =>
  Array.from({ length: MAX_BITS / LIMB_BITS }, (_, limb) => restsOf(2n ** BigInt(limb * LIMB_BITS))),
)

/** Offsets offset, offset + 2, ... for which no small prime divides from + offset.
 *  @param restsOfFrom remainders of `from`, which is even
 *  @param offset odd, of at most `MAX_BITS` bits */
function* sieve(restsOfFrom: Float64Array, offset: bigint): Generator<bigint> {
  const sums = restsOfFrom.slice()
  for (const [limb, rests] of restsOfLimbs().entries()) {
    const digit = Number(BigInt.asUintN(LIMB_BITS, offset >> BigInt(limb * LIMB_BITS)))
    for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + digit * (rests[i] ?? 0)
  }
  const isComposite = new Uint8Array(WINDOW)
  const primes = oddPrimes()
  for (let i = 0; i < sums.length; i++) {
    const prime = primes[i] ?? 0
    const sum = sums[i] ?? 0
    const rest = sum - prime * Math.floor(sum / prime) // exact below 2^53, and faster than %
    const distance = rest === 0 ? 0 : prime - rest
    for (let at = (distance % 2 === 0 ? distance : distance + prime) / 2; at < WINDOW; at += prime)
      isComposite[at] = 1
  }
  for (let i = 0; i < WINDOW; i++) if (isComposite[i] === 0) yield offset + 2n * BigInt(i)
}

/** The remainders of the few numbers at which prime intervals start. */
const knownRests = new LRUCache<bigint, Float64Array>({ max: 8, memoMethod: restsOf })

/** A random prime in [from, from + 2^bits), for an even `from` and 100 to 208 bits. The window after a random start is searched, then another one. Primes after
 *  a long gap are more likely, which does not make equal primes likely. Each prime has a random start of its own, so one prime says nothing about the next one. Several
 *  primes of one window would be cheaper, but they would lie close together. e is public to the wallet after issuance (spec/cryptography#6.1), so the time may depend on it. */
export function randomPrime(
  arithmetic: Arithmetic,
  {
    from,
    bits,
    rounds = ROUNDS_FOR_RANDOM,
  }: { readonly from: bigint; readonly bits: number; readonly rounds?: number },
  randomBytes: RandomBytes,
): bigint {
  if (bits > MAX_BITS) throw new RangeError(`random prime: expected at most ${MAX_BITS} bits, got ${bits}`)
  const rests = knownRests.memo(from)
  for (;;) {
    for (const offset of sieve(rests, randomInteger(bits, randomBytes) | 1n)) {
      if (offset >> BigInt(bits) !== 0n) break
      const candidate = from + offset
      if (!passesMillerRabin(arithmetic, candidate, 2n)) continue
      if (passesRounds(arithmetic, candidate, rounds)) return candidate
    }
  }
}
