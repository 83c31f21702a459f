/** Multiplies numbers in Montgomery form modulo one n. The numbers are adjacent in memory. Of OpenSSL's three ways, the fastest that this process and its processor
 *  support is used. All of them are for public numbers only.
 *
 *  `digits`: 52-bit digits and the integer instructions of AVX-512, twice as fast as the others; `words`: OpenSSL's own inner function on 64-bit words;
 *  `numbers`: its public function, for a shared library that hides the inner ones. @module */
import { bitLength, bytesOf } from '../bytes.ts'
import type { NumberAddress } from './inner-functions.ts'
import { type Address, type Libcrypto, withNumbers } from './libcrypto.ts'

export type Multiplier = {
  readonly form: 'digits' | 'words' | 'numbers'
  /** the bytes of one number in memory */
  readonly stride: number
  /** R of the Montgomery form is 2^bits */
  readonly bits: number
  /** r = a * b / R mod n; r may be a or b. `digits` accepts and returns numbers below 2 n. */
  readonly multiply: (r: NumberAddress, a: NumberAddress, b: NumberAddress) => void
  /** Must be called before the product of the last multiplication is read as bytes. */
  readonly settle: () => void
  /** @throws {RangeError} for a number that is negative or has more bits than n */
  readonly encode: (x: bigint) => Uint8Array
  readonly decode: (bytes: Uint8Array) => bigint
  /** frees its C memory */
  readonly close: () => void
  /** memory that it reads, kept for its lifetime */
  readonly kept: readonly Uint8Array[]
}

const DIGIT_BITS = 52
const HEX_OF_DIGIT = DIGIT_BITS / 4
const WORD_BITS = 64
const BYTES_OF_WORD = 8
const HALF_WORD = 2 ** 32
const NOWHERE: NumberAddress = 0

/** -1/n modulo 2^bits, for odd n. Each Newton iteration doubles the number of correct bits. */
function negatedInverse(n: bigint, bits: number): bigint {
  let inverse = n
  for (let right = 3; right < bits; right *= 2) inverse = BigInt.asUintN(bits, inverse * (2n - n * inverse))
  return BigInt.asUintN(bits, -inverse)
}

/** @param x of at most `length` bytes; the result has the lowest byte first */
function littleEndian(x: bigint, length: number): Uint8Array {
  const bytes = bytesOf(x)
  if (bytes.length > length) throw new RangeError(`base: expected a number of at most ${8 * length} bits`)
  const whole = new Uint8Array(length)
  whole.set(bytes.reverse())
  return whole
}

function fromLittleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
}

function toDigits(x: bigint, digits: number): Uint8Array {
  if (x < 0n) throw new RangeError('base: expected a non-negative integer')
  const hex = x.toString(16).padStart(digits * HEX_OF_DIGIT, '0')
  if (hex.length > digits * HEX_OF_DIGIT)
    throw new RangeError(`base: expected a number of at most ${digits * DIGIT_BITS} bits`)
  const halves = new Uint32Array(2 * digits)
  for (let i = 0; i < digits; i++) {
    const start = hex.length - (i + 1) * HEX_OF_DIGIT
    const digit = Number.parseInt(hex.slice(start, start + HEX_OF_DIGIT), 16)
    halves[2 * i] = digit % HALF_WORD
    halves[2 * i + 1] = Math.floor(digit / HALF_WORD)
  }
  return new Uint8Array(halves.buffer)
}

/** Two digits are 13 bytes, six and a half each. */
function fromDigits(memory: Uint8Array): bigint {
  const halves = new Uint32Array(memory.slice().buffer)
  const bytes = Buffer.allocUnsafe((halves.length / 4) * 13)
  for (let i = 0, at = 0; i < halves.length; i += 4, at += 13) {
    const [low = 0, high = 0, nextLow = 0, nextHigh = 0] = [
      halves[i],
      halves[i + 1],
      halves[i + 2],
      halves[i + 3],
    ]
    bytes.writeUInt32LE(low, at)
    bytes.writeUInt16LE(high & 0xffff, at + 4)
    bytes.writeUInt32LE(((nextLow << 4) | (high >>> 16)) >>> 0, at + 6)
    bytes.writeUIntLE((nextHigh << 4) | (nextLow >>> 28), at + 10, 3)
  }
  return BigInt(`0x${bytes.reverse().toString('hex')}`)
}

/** Memory that garbage collection does not move: its address is valid as long as it is kept. */
function fixed(
  lib: Libcrypto,
  bytes: Uint8Array,
): { readonly kept: Uint8Array; readonly place: NumberAddress } {
  const kept = new Uint8Array(new SharedArrayBuffer(bytes.length))
  kept.set(bytes)
  return { kept, place: lib.placeOf(kept) }
}

function withDigits(lib: Libcrypto, n: bigint, bits: number): Multiplier | undefined {
  const digits = Math.ceil(bits / DIGIT_BITS)
  const multiplyDigits = lib.multiplyDigits.get(digits)
  if (multiplyDigits === undefined) return undefined
  const encode = (x: bigint): Uint8Array => toDigits(x, digits)
  const { kept, place } = fixed(lib, encode(n))
  const k0 = Number(negatedInverse(n, DIGIT_BITS))
  return {
    form: 'digits',
    stride: digits * BYTES_OF_WORD,
    bits: digits * DIGIT_BITS,
    encode,
    decode: fromDigits,
    settle: () => {},
    close: () => {},
    kept: [kept],
    multiply: (r, a, b) => multiplyDigits(r, a, b, place, k0),
  }
}

function withWords(lib: Libcrypto, n: bigint, bits: number): Multiplier | undefined {
  const { multiplyWords } = lib
  if (multiplyWords === undefined) return undefined
  const words = bits / WORD_BITS
  const stride = words * BYTES_OF_WORD
  const encode = (x: bigint): Uint8Array => littleEndian(x, stride)
  const modulus = fixed(lib, encode(n))
  const k0 = fixed(lib, littleEndian(negatedInverse(n, WORD_BITS), 2 * BYTES_OF_WORD))
  return {
    form: 'words',
    stride,
    bits,
    encode,
    decode: fromLittleEndian,
    settle: () => {},
    close: () => {},
    kept: [modulus.kept, k0.kept],
    multiply: (r, a, b) => multiplyWords(r, a, b, modulus.place, k0.place, words),
  }
}

/** Copies factors into OpenSSL's own numbers. A product stays there for the next multiplication. It is copied to its place only when another product replaces
 *  it. */
class Numbers implements Multiplier {
  readonly form = 'numbers'
  readonly stride: number
  readonly bits: number
  readonly kept = []
  readonly decode = fromLittleEndian
  readonly #lib: Libcrypto
  readonly #ctx: Address
  readonly #mont: Address
  readonly #product: Address
  readonly #factor: Address
  /** place of the product, and whether the product was copied there */
  #place: NumberAddress = NOWHERE
  #isThere = true

  constructor(lib: Libcrypto, n: bigint, bits: number) {
    this.#lib = lib
    this.stride = bits / 8
    this.bits = bits
    this.#ctx = lib.newContext()
    this.#mont = withNumbers(lib, number => lib.newMontgomery(number(n), this.#ctx))
    this.#product = lib.newNumber()
    this.#factor = lib.newNumber()
  }

  readonly multiply = (r: NumberAddress, a: NumberAddress, b: NumberAddress): void => {
    const lib = this.#lib
    const [first, second] = b === this.#place ? [b, a] : [a, b]
    if (first !== this.#place || r !== this.#place) this.settle()
    if (first !== this.#place) lib.copyIn(this.#product, first, this.stride)
    if (first !== second) lib.copyIn(this.#factor, second, this.stride)
    lib.multiply(
      this.#product,
      this.#product,
      first === second ? this.#product : this.#factor,
      this.#mont,
      this.#ctx,
    )
    this.#place = r
    this.#isThere = false
  }

  readonly settle = (): void => {
    if (!this.#isThere) this.#lib.copyOut(this.#place, this.#product, this.stride)
    this.#isThere = true
  }

  readonly encode = (x: bigint): Uint8Array => {
    this.settle() // the caller is about to write into memory, which may be the place of the product
    this.#place = NOWHERE
    return littleEndian(x, this.stride)
  }

  readonly close = (): void => {
    this.#lib.freeMontgomery(this.#mont)
    this.#lib.freeNumber(this.#product)
    this.#lib.freeNumber(this.#factor)
    this.#lib.freeContext(this.#ctx)
  }
}

/** @param n odd, of a whole number of words */
export function multiplierOf(lib: Libcrypto, n: bigint): Multiplier {
  const bits = bitLength(n)
  return withDigits(lib, n, bits) ?? withWords(lib, n, bits) ?? new Numbers(lib, n, bits)
}
