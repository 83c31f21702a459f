/** Reads the CBOR of revocation data (spec/cryptography#14.1), in the form that `writeCbor` gives it, without trailing bytes. The caller requests item
 *  by item, so nesting or lengths of the sender's choice cost nothing. @module */
import { Tokenizer, Type } from 'cborg'
import { integerOf } from '../bytes.ts'
import { RevocationDataError } from './error.ts'

/** The most elements in all lists of a message. Each becomes an event, which costs a hash before any signature is checked. */
export const MAX_ELEMENTS = 2 ** 14

/** Reads `bytes`, which are exactly one item.
 *  @param what name of the item, for errors
 *  @throws {RevocationDataError} */
export function readCbor<Value>(bytes: Uint8Array, what: string, read: (reader: CborReader) => Value): Value {
  const reader = new CborReader(bytes, what)
  const value = read(reader)
  reader.expectEnd()
  return value
}

/** Each method reads the next item, and throws RevocationDataError for an item of another type. */
export class CborReader {
  readonly #tokens: Tokenizer
  readonly #bytes: Uint8Array
  readonly #what: string
  #elements = 0

  constructor(bytes: Uint8Array, what: string) {
    const { buffer, byteOffset, length } = bytes
    this.#bytes = new Uint8Array(buffer, byteOffset, length) // items of a Buffer would be views, not copies
    this.#what = what
    const form = { strict: true, allowIndefinite: false, allowBigInt: true, retainStringBytes: true }
    this.#tokens = new Tokenizer(this.#bytes, form)
  }

  /** Number of members of a map. */
  map(): number {
    return this.#count(Type.map)
  }

  /** A map of one of these numbers of members. */
  mapOf(...sizes: readonly number[]): number {
    const got = this.map()
    if (sizes.includes(got)) return got
    throw this.#error(`a map of ${sizes.join(' or ')}`, `one of ${got}`)
  }

  /** Number of elements of a list. */
  list(): number {
    const count = this.#count(Type.array)
    this.#elements += count
    if (this.#elements > MAX_ELEMENTS)
      throw this.#error(`at most ${MAX_ELEMENTS} elements of lists`, `${this.#elements}`)
    return count
  }

  key(name: string): void {
    if (this.text(name.length) !== name) throw this.#error(`the key ${name}`, 'another one')
  }

  text(maxBytes: number): string {
    const text = this.#bytesOf(Type.string, maxBytes)
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text)
    } catch {
      throw this.#error('UTF-8', 'something else')
    }
  }

  bytes(maxLength: number): Uint8Array {
    return this.#bytesOf(Type.bytes, maxLength)
  }

  /** Shortest big-endian bytes of an integer >= 0. */
  natural(maxBits: number): bigint {
    const bytes = this.bytes(Math.ceil(maxBits / 8))
    const value = integerOf(bytes)
    if (bytes[0] === 0 || value >> BigInt(maxBits) !== 0n)
      throw this.#error(`shortest bytes of an integer of at most ${maxBits} bits`, 'others')
    return value
  }

  /** An integer >= 0 that JavaScript represents exactly. */
  unsigned(): number {
    const value = this.unsigned64()
    if (value > Number.MAX_SAFE_INTEGER) throw this.#error('an integer below 2^53', 'a larger one')
    return Number(value)
  }

  unsigned64(): bigint {
    return BigInt(this.#next(Type.uint).value)
  }

  expectEnd(): void {
    if (!this.#tokens.done()) throw this.#error('the end', 'more')
  }

  /** Every element takes at least one byte, so a count above the length is rejected. */
  #count(type: Type): number {
    const count = this.#next(type).value
    if (count > this.#bytes.length) throw this.#error('as many elements as its count says', 'fewer')
    return count
  }

  #bytesOf(type: Type, maxLength: number): Uint8Array {
    const token = this.#next(type)
    const bytes: Uint8Array = type === Type.bytes ? token.value : (token.byteValue ?? new Uint8Array(0))
    if (bytes.length > maxLength) throw this.#error(`${type.name} of at most ${maxLength}`, `${bytes.length}`)
    return bytes
  }

  #next(type: Type) {
    if (this.#tokens.done()) throw this.#error(type.name, 'the end')
    const token = this.#read()
    if (!Type.equals(token.type, type)) throw this.#error(type.name, token.type.name)
    return token
  }

  #read() {
    try {
      return this.#tokens.next()
    } catch (cause) {
      throw this.#error('CBOR in its shortest form', 'something else', { cause })
    }
  }

  #error(expected: string, got: string, options?: ErrorOptions): RevocationDataError {
    return new RevocationDataError(`${this.#what}: expected ${expected}, got ${got}`, options)
  }
}
