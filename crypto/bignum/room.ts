/** Memory for the numbers of one product at a time, in Montgomery form, and the conversion into and out of this form. @module */
import type { NumberAddress } from './inner-functions.ts'
import type { Libcrypto } from './libcrypto.ts'
import type { Multiplier } from './multipliers.ts'

/** The indices of the permanent numbers. */
const [RESULT, SQUARE, SQUARE_OF_R, ONE] = [0, 1, 2, 3]
const ALWAYS_THERE = 4

/** Belongs to one thread and one modulus. */
export class Room {
  /** places of the number being calculated, and of the square of a base */
  readonly result: NumberAddress
  readonly square: NumberAddress
  readonly #resultBytes: Uint8Array
  readonly #lib: Libcrypto
  readonly #multiplier: Multiplier
  readonly #n: bigint
  readonly #memory: Uint8Array
  readonly #squareOfR: NumberAddress
  readonly #one: NumberAddress
  readonly #pieces: { readonly memory: Uint8Array; readonly place: NumberAddress }[] = []

  constructor(lib: Libcrypto, multiplier: Multiplier, n: bigint) {
    const { stride, encode, bits } = multiplier
    this.#lib = lib
    this.#multiplier = multiplier
    this.#n = n
    this.#memory = new Uint8Array(new SharedArrayBuffer(ALWAYS_THERE * stride))
    this.#memory.set(encode(2n ** BigInt(2 * bits) % n), SQUARE_OF_R * stride)
    this.#memory.set(encode(1n), ONE * stride)
    const start = lib.placeOf(this.#memory)
    this.result = start + RESULT * stride
    this.square = start + SQUARE * stride
    this.#squareOfR = start + SQUARE_OF_R * stride
    this.#one = start + ONE * stride
    this.#resultBytes = this.#memory.subarray(RESULT * stride, (RESULT + 1) * stride)
  }

  /** Writes x in Montgomery form. Overwrites the result.
   *  @throws {RangeError} for a number that is negative or too long */
  enter(to: NumberAddress, x: bigint): void {
    this.#resultBytes.set(this.#multiplier.encode(x))
    this.#multiplier.multiply(to, this.result, this.#squareOfR)
  }

  /** @param from the place of a number in Montgomery form */
  leave(from: NumberAddress): bigint {
    this.#multiplier.multiply(this.result, from, this.#one)
    return this.#multiplier.decode(this.bytes()) % this.#n
  }

  /** The bytes of the result, in Montgomery form. The next multiplication changes them. */
  bytes(): Uint8Array {
    this.#multiplier.settle()
    return this.#resultBytes
  }

  /** Space for further numbers. The piece with a given `index` must have the same length at every call. */
  piece(index: number, numbers: number): NumberAddress {
    const known = this.#pieces[index]
    if (known !== undefined) return known.place
    const memory = new Uint8Array(new SharedArrayBuffer(numbers * this.#multiplier.stride))
    const place = this.#lib.placeOf(memory)
    this.#pieces[index] = { memory, place }
    return place
  }
}
