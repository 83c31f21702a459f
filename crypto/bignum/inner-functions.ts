/** Inner functions of OpenSSL, which multiply numbers in plain memory. The executables of the Node project export them; a shared library hides them. They are
 *  not part of OpenSSL's public interface. Each is therefore bound only for the OpenSSL versions whose sources have it in this form, and the arithmetic tests
 *  itself before use (self-test.ts). @module */
import type { LibraryHandle } from 'koffi'

type Library = Pick<LibraryHandle, 'func'>

/** Version ranges of OpenSSL, each with its first number and the first number after it: 3.0 to 3.x, and 3.5, which is maintained until 2030. */
const MAJOR_3 = [0x30000000, 0x40000000] as const
const VERSION_3_5 = [0x30500000, 0x30600000] as const

/** Address of a number in memory outside OpenSSL's own numbers, as a JavaScript number. */
export type NumberAddress = number

/** @param memory shared memory, which never moves */
export type NumberAddressOf = (memory: Uint8Array | BigUint64Array) => NumberAddress

export type InnerFunctions = {
  /** r = a * b / 2^(64 * words) mod n on plain 64-bit words, with a and b below n, and n0 = -1/n mod 2^64. Undefined if it cannot be called. */
  readonly multiplyWords:
    | ((
        r: NumberAddress,
        a: NumberAddress,
        b: NumberAddress,
        n: NumberAddress,
        n0: NumberAddress,
        words: number,
      ) => void)
    | undefined
  /** The same function on 52-bit digits, by the number of digits, for processors with instructions for such digits. Empty if there are none.
   *  k0 = -1/n mod 2^52; a, b and r are below 2 n. */
  readonly multiplyDigits: ReadonlyMap<
    number,
    (r: NumberAddress, a: NumberAddress, b: NumberAddress, n: NumberAddress, k0: number) => void
  >
  /** true if the processor has these instructions, but this version of OpenSSL has no functions with them for all key lengths */
  readonly lacksDigits: boolean
}

export function innerFunctions(node: Library, placeOf: NumberAddressOf): InnerFunctions {
  const version: number = node.func('unsigned long OpenSSL_version_num()')()
  const isOf = ([from, end]: readonly [number, number]): boolean => version >= from && version < end
  const hasInstructions = isOf(MAJOR_3) && hasDigitInstructions(node)
  return {
    multiplyWords: isOf(MAJOR_3) ? wordsFunction(node, placeOf) : undefined,
    multiplyDigits: hasInstructions && isOf(VERSION_3_5) ? digitsFunctions(node) : new Map(),
    lacksDigits: hasInstructions && version < VERSION_3_5[0],
  }
}

function hasDigitInstructions(node: Library): boolean {
  const isEligible = bound(() => node.func('int ossl_rsaz_avx512ifma_eligible()'))
  return isEligible !== undefined && isEligible() !== 0
}

/** undefined if the function cannot be called */
function bound<Result>(bind: () => Result): Result | undefined {
  try {
    return bind()
  } catch {
    return undefined // another of the three ways to multiply is used
  }
}

/** OpenSSL does not have this function on every processor, and it differs where words have 32 bits, so one product is tested. 2^1000 2^30 = 2^6 modulo 2^1024 -
 *  1, because 2^1024 is 1 there. */
function wordsFunction(node: Library, placeOf: NumberAddressOf): InnerFunctions['multiplyWords'] {
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

function digitsFunctions(node: Library): InnerFunctions['multiplyDigits'] {
  const place = 'uint64_t r, uint64_t a, uint64_t b, uint64_t n, uint64_t k0'
  const all = [20, 40].flatMap(digits => {
    const multiply = bound(() => node.func(`void ossl_rsaz_amm52x${digits}_x1_ifma256(${place})`))
    return multiply === undefined ? [] : [[digits, multiply] as const]
  })
  return new Map(all)
}
