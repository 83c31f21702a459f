/** Inner functions of OpenSSL, which multiply numbers that are bare memory. The Node executables of the Node project let them be called; a shared
 *  library hides them. Nobody promises that they stay as they are, so each is bound only in the versions of OpenSSL whose sources
 *  have it in this form, and whoever calculates with them tests itself first (self-test.ts). @module */
import type { LibraryHandle } from 'koffi'

/** The first number of a version of OpenSSL that counts here, and the first one after it: 3.0 to 3.x, and 3.5, which is maintained until 2030. */
const MAJOR_3 = [0x30000000, 0x40000000] as const
const VERSION_3_5 = [0x30500000, 0x30600000] as const

/** Address of a number in memory that OpenSSL's own numbers know nothing of, as JavaScript calculates with it. */
export type Place = number

/** @param memory shared memory, which is never moved */
export type PlaceOf = (memory: Uint8Array | BigUint64Array) => Place

export type InnerFunctions = {
  /** r = a * b / 2^(64 * words) mod n on bare words of 64 bits, a and b below n, n0 = -1/n mod 2^64. Undefined: it cannot be called. */
  readonly multiplyWords:
    | ((r: Place, a: Place, b: Place, n: Place, n0: Place, words: number) => void)
    | undefined
  /** The same on digits of 52 bits, which this processor has instructions for, k0 = -1/n mod 2^52, by the number of digits: a and b below 2 n, as r is.
   *  Empty: there are none. */
  readonly multiplyDigits: ReadonlyMap<number, (r: Place, a: Place, b: Place, n: Place, k0: number) => void>
}

export function innerFunctions(node: LibraryHandle, placeOf: PlaceOf): InnerFunctions {
  const version: number = node.func('unsigned long OpenSSL_version_num()')()
  const isOf = ([from, end]: readonly [number, number]): boolean => version >= from && version < end
  return {
    multiplyWords: isOf(MAJOR_3) ? wordsFunction(node, placeOf) : undefined,
    multiplyDigits: isOf(VERSION_3_5) ? digitsFunctions(node) : new Map(),
  }
}

/** undefined for a function that cannot be called */
function bound<Result>(bind: () => Result): Result | undefined {
  try {
    return bind()
  } catch {
    return undefined // another of the three ways to multiply is taken
  }
}

/** Not on every processor does OpenSSL have this function, and where its words have 32 bits it does something else: it is asked once.
 *  2^1000 2^30 = 2^6 modulo 2^1024 - 1, of which 2^1024 is 1. */
function wordsFunction(node: LibraryHandle, placeOf: PlaceOf): InnerFunctions['multiplyWords'] {
  const place = 'uint64_t r, uint64_t a, uint64_t b, uint64_t n, uint64_t n0'
  const multiply = bound(() => node.func(`int bn_mul_mont(${place}, int words)`))
  if (multiply === undefined) return undefined
  const words = 16
  const numbers = [0n, 2n ** 1000n, 2n ** 30n, 2n ** 1024n - 1n, 1n].map(x => {
    const memory = new BigUint64Array(new SharedArrayBuffer(8 * words))
    for (let i = 0; i < words; i++) memory[i] = x >> BigInt(64 * i)
    return memory
  })
  const isDone = multiply(...numbers.map(placeOf), words) === 1
  return isDone && numbers[0]?.every((word, i) => word === (i === 0 ? 64n : 0n)) ? multiply : undefined
}

function digitsFunctions(node: LibraryHandle): InnerFunctions['multiplyDigits'] {
  const hasInstructions = bound(() => node.func('int ossl_rsaz_avx512ifma_eligible()'))
  if (!hasInstructions?.()) return new Map()
  const place = 'uint64_t r, uint64_t a, uint64_t b, uint64_t n, uint64_t k0'
  const all = [20, 40].flatMap(digits => {
    const multiply = bound(() => node.func(`void ossl_rsaz_amm52x${digits}_x1_ifma256(${place})`))
    return multiply === undefined ? [] : [[digits, multiply] as const]
  })
  return new Map(all)
}
