/** Arithmetic with OpenSSL's big numbers. Scratch space of some kilobytes for each thread stays in C memory until the process ends. Prepared numbers of secret
 *  factors also outlive a call (openssl-factors.ts). The tables of issuer keys are JavaScript memory in a bounded cache. All other secret numbers in C memory
 *  are overwritten when a call ends. The caller passes them as BigInt, and JavaScript memory cannot be wiped. @module */
import { LRUCache } from 'lru-cache'
import { bitLength } from '../bytes.ts'
import type { IssuerPublicKey } from '../public-key.ts'
import type { Arithmetic, KeyPowers, Power, SharedKey } from './arithmetic.ts'
import { Chain, windowWidth } from './chain.ts'
import { type Address, byteLength, invert, type Libcrypto, withNumbers } from './libcrypto.ts'
import { ProductsByFactors } from './openssl-factors.ts'
import {
  isSameKey,
  PreparedKey,
  TABLE_OF_G,
  TABLE_OF_H,
  TABLE_OF_INVERSE_Z,
  TABLE_OF_S,
} from './openssl-key.ts'

/** The memory for tables in one thread: more than 40 keys of 2048 bits. */
const DEFAULT_TABLE_BYTES = 256 * 2 ** 20
const MAX_OTHERS = 2
const MAX_OTHER_WIDTH = 6
/** The rows that a product builds if its tables are incomplete: about the work of two products. */
const ROWS_AT_ONCE = 2

/** The keys of one thread, by modulus. */
class Keys {
  readonly #lib: Libcrypto
  readonly #ctx: Address
  readonly #keys: LRUCache<bigint, PreparedKey>
  readonly #maxBytes: number
  /** keys whose tables this thread created */
  readonly #own = new WeakSet<PreparedKey>()

  constructor(lib: Libcrypto, ctx: Address, maxBytes: number) {
    this.#lib = lib
    this.#ctx = ctx
    this.#maxBytes = maxBytes
    this.#keys = new LRUCache({
      maxSize: maxBytes,
      dispose: prepared => {
        if (this.#own.has(prepared)) prepared.tables.retire()
        prepared.close()
      },
    })
  }

  prepared(key: IssuerPublicKey): PreparedKey {
    return this.#known(key) ?? this.#add(key)
  }

  tablesOf(key: IssuerPublicKey): SharedArrayBuffer | undefined {
    return this.#known(key)?.tables.buffer
  }

  share(key: IssuerPublicKey): SharedKey {
    return { key, tables: this.prepared(key).tables.buffer }
  }

  adopt({ key, tables }: SharedKey): IssuerPublicKey {
    if (tables === undefined) return key
    const known = this.#keys.get(key.n)
    const isKnown = known !== undefined && isSameKey(known.key, key) && known.tables.isIn(tables)
    if (!isKnown) {
      for (const [n, each] of this.#keys) if (each.tables.isRetired) this.#keys.delete(n)
      this.#add(key, tables)
    }
    return key // not the known key: it has the same numbers, but may differ in its counter and its key for accumulators
  }

  #known(key: IssuerPublicKey): PreparedKey | undefined {
    const known = this.#keys.get(key.n)
    return known !== undefined && isSameKey(known.key, key) ? known : undefined
  }

  #add(key: IssuerPublicKey, tables?: SharedArrayBuffer): PreparedKey {
    const prepared = new PreparedKey(this.#lib, this.#ctx, key, tables)
    if (tables === undefined) this.#own.add(prepared)
    this.#keys.set(key.n, prepared, { size: Math.min(prepared.tableBytes, this.#maxBytes) })
    return prepared
  }
}

/** Products of powers of a key's bases and of others, in one chain of squarings. */
class Products {
  readonly #chain = new Chain()

  of(prepared: PreparedKey, powers: KeyPowers): bigint {
    const { inverseZ, S, G, H, R, others = [] } = powers
    if (others.length > MAX_OTHERS) throw new RangeError(`other bases: expected at most ${MAX_OTHERS}`)
    const fixed: [table: number, exponent: bigint][] = []
    if (inverseZ !== undefined) fixed.push([TABLE_OF_INVERSE_Z, inverseZ])
    if (S !== undefined) fixed.push([TABLE_OF_S, S])
    if (G !== undefined) fixed.push([TABLE_OF_G, G])
    if (H !== undefined) fixed.push([TABLE_OF_H, H])
    for (const [index, exponent] of R ?? []) fixed.push([prepared.tableOfR(index), exponent])
    this.#build(
      prepared,
      fixed.map(([table]) => table),
    )
    this.#chain.clear()
    const listed = [...others, ...this.#addFixed(prepared, fixed)]
    for (const [i, each] of listed.entries()) this.#addOther(prepared, each, i)
    return this.#run(prepared)
  }

  /** Builds some of the missing rows. */
  #build(prepared: PreparedKey, tables: readonly number[]): void {
    let rows = ROWS_AT_ONCE
    for (const table of tables)
      for (; rows > 0 && prepared.table(table) === null; rows--) prepared.buildRow(table)
  }

  /** Plans the powers of fixed bases, which are read from their tables.
   *  @returns the powers whose tables are incomplete; they are handled like bases without a table, and only take longer */
  #addFixed(prepared: PreparedKey, fixed: readonly (readonly [table: number, exponent: bigint])[]): Power[] {
    const missing: Power[] = []
    for (const [table, exponent] of fixed) {
      const layout = prepared.layout(table)
      const bits = layout.rows * layout.rowBits
      if (exponent >> BigInt(bits) !== 0n)
        throw new RangeError(
          `exponent of a key's base: expected a non-negative integer of at most ${bits} bits`,
        )
      const place = prepared.table(table)
      if (place === null) missing.push({ base: prepared.base(table), exponent })
      else this.#chain.addPower(exponent, layout, place, prepared.multiplier.stride)
    }
    return missing
  }

  /** Plans the power of a base without a table: its odd powers are calculated. */
  #addOther({ room, multiplier }: PreparedKey, { base, exponent }: Power, index: number): void {
    const { multiply, stride } = multiplier
    const bits = bitLength(exponent)
    const width = windowWidth(bits)
    const first = room.piece(index, 2 ** (MAX_OTHER_WIDTH - 1))
    room.enter(first, base)
    multiply(room.square, first, first)
    const end = first + stride * 2 ** (width - 1)
    for (let place = first + stride; place < end; place += stride)
      multiply(place, place - stride, room.square)
    this.#chain.addPower(exponent, { rows: 1, rowBits: bits, width }, first, stride)
  }

  #run({ room, multiplier }: PreparedKey): bigint {
    const { multiply } = multiplier
    const { result } = room
    let last = 0 // place of the product so far: at first the place of its first factor
    this.#chain.run(
      () => {
        multiply(result, last, last)
        last = result
      },
      factor => {
        if (last !== 0) multiply(result, last, factor)
        last = last === 0 ? factor : result
      },
    )
    return last === 0 ? 1n : room.leave(last)
  }
}

const WORD_BITS = 64
const BLOCK_WORDS = 4

/** A multiple of the modulus that is faster to calculate with. OpenSSL has faster code for whole blocks of words. The primes of keys of 2048 and 4096 bits are
 *  one word short of a block. */
function fasterMultiple(modulus: bigint): bigint {
  const bits = bitLength(modulus)
  const words = Math.ceil(bits / WORD_BITS)
  if (words % BLOCK_WORDS !== BLOCK_WORDS - 1) return modulus
  return modulus * (2n ** BigInt((words + 1) * WORD_BITS - bits) - 1n)
}

/** @param options.tableBytes bound of the memory for tables of keys
 *  @throws {Error} if the functions of OpenSSL cannot be called */
export function opensslArithmetic(lib: Libcrypto, { tableBytes = DEFAULT_TABLE_BYTES } = {}): Arithmetic {
  const ctx = lib.newContext()
  const keys = new Keys(lib, ctx, tableBytes)
  const products = new Products()
  const byFactors = new ProductsByFactors(lib, ctx)
  return {
    name: 'openssl',
    isFasterOnNode24: lib.lacksDigits,
    keyProduct: (key, powers) => products.of(keys.prepared(key), powers),
    power: (base, exponent, modulus) =>
      withNumbers(lib, number => {
        const result = number(0n)
        const multiple = fasterMultiple(modulus)
        lib.power(result, number(base), number(exponent), number(multiple), ctx)
        return lib.read(result, byteLength(multiple)) % modulus
      }),
    secretPower: (base, exponent, modulus) =>
      withNumbers(lib, number => {
        const [result, b, e, m] = [number(0n), number(base), number(exponent), number(modulus)]
        lib.markSecret(e)
        lib.secretPower(result, b, e, m, ctx)
        return lib.read(result, byteLength(modulus))
      }),
    secretProductByFactors: (powers, factors) => byFactors.of(powers, factors),
    inverse: (x, modulus) => invert(lib, ctx, x, modulus),
    share: key => keys.share(key),
    tablesOf: key => keys.tablesOf(key),
    adopt: shared => keys.adopt(shared),
  }
}
