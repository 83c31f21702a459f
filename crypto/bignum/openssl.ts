/** Arithmetic with OpenSSL's big numbers. C memory that outlives a call is scratch space, some kilobytes for each thread until the
 *  process ends, what is prepared of secret factors (openssl-factors.ts), and the tables of issuer keys, freed when their key leaves
 *  a bounded cache. Secret numbers are overwritten when
 *  a call ends, but they come and go as BigInt, and JavaScript memory cannot be wiped. @module */
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

/** The memory for tables in one thread: about 50 keys of 2048 bits with 12 bases each, or 30 that support revocation. */
const DEFAULT_TABLE_BYTES = 256 * 2 ** 20
const MAX_OTHERS = 2
const MAX_OTHER_WIDTH = 6

/** The keys of one thread, by modulus; the tables of keys that leave the cache are freed. */
class Keys {
  readonly #lib: Libcrypto
  readonly #ctx: Address
  readonly #keys: LRUCache<bigint, PreparedKey>
  readonly #maxBytes: number
  #unreleased: PreparedKey[] = []

  constructor(lib: Libcrypto, ctx: Address, maxBytes: number) {
    this.#lib = lib
    this.#ctx = ctx
    this.#maxBytes = maxBytes
    this.#keys = new LRUCache({
      maxSize: maxBytes,
      dispose: prepared => {
        prepared.close()
        this.#unreleased = [...this.#unreleased, prepared].filter(each => !each.release())
      },
    })
  }

  /** The key made ready, its tables entered: `prepared.tables.leave()` is the caller's duty. */
  enter(key: IssuerPublicKey): PreparedKey {
    const known = this.#keys.get(key.n)
    if (known && isSameKey(known.key, key) && known.tables.enter()) return known
    const prepared = this.#add(key)
    prepared.tables.enter() // cannot fail: nobody else knows these tables
    return prepared
  }

  share(key: IssuerPublicKey): SharedKey {
    const prepared = this.enter(key)
    prepared.tables.leave()
    return { key, tables: prepared.tables.buffer }
  }

  adopt({ key, tables }: SharedKey): IssuerPublicKey {
    if (tables === undefined) return key
    const known = this.#keys.get(key.n)
    const isKnown = known !== undefined && isSameKey(known.key, key) && known.tables.isSameAs(tables)
    if (!isKnown) this.#add(key, tables)
    return key // and not the known one, which has the same numbers, but may have another counter and another key for accumulators
  }

  #add(key: IssuerPublicKey, tables?: SharedArrayBuffer): PreparedKey {
    const prepared = new PreparedKey(this.#lib, this.#ctx, key, tables)
    const size = prepared.isOwner ? prepared.tableBytes : prepared.byteLength
    this.#keys.set(key.n, prepared, { size: Math.min(size, this.#maxBytes) })
    return prepared
  }
}

/** Plan the power of one fixed base, read from its table. */
function addFixed(chain: Chain, prepared: PreparedKey, index: number, exponent: bigint): void {
  const layout = prepared.layout(index)
  const bits = layout.rows * layout.rowBits
  if (exponent >> BigInt(bits) !== 0n)
    throw new RangeError(`exponent of a key's base: expected a non-negative integer of at most ${bits} bits`)
  chain.addPower(exponent, layout, prepared.table(index))
}

/** Products of powers of a key's bases and of others: one chain of squarings for all of them. */
class Products {
  readonly #lib: Libcrypto
  readonly #ctx: Address
  readonly #result: Address
  readonly #square: Address
  readonly #oddPowers: readonly (readonly Address[])[]

  constructor(lib: Libcrypto, ctx: Address) {
    this.#lib = lib
    this.#ctx = ctx
    this.#result = lib.newNumber()
    this.#square = lib.newNumber()
    this.#oddPowers = Array.from({ length: MAX_OTHERS }, () =>
      Array.from({ length: 2 ** (MAX_OTHER_WIDTH - 1) }, () => lib.newNumber()),
    )
  }

  /** @param prepared a key whose tables are entered */
  of(prepared: PreparedKey, { inverseZ, S, G, H, R, others = [] }: KeyPowers): bigint {
    const chain = new Chain()
    if (inverseZ !== undefined) addFixed(chain, prepared, TABLE_OF_INVERSE_Z, inverseZ)
    if (S !== undefined) addFixed(chain, prepared, TABLE_OF_S, S)
    if (G !== undefined) addFixed(chain, prepared, TABLE_OF_G, G)
    if (H !== undefined) addFixed(chain, prepared, TABLE_OF_H, H)
    for (const [index, exponent] of R ?? []) addFixed(chain, prepared, prepared.tableOfR(index), exponent)
    for (const [i, other] of others.entries()) this.#addOther(chain, prepared, other, this.#oddPowers[i])
    return this.#run(chain, prepared)
  }

  /** @param space for its odd powers */
  #addOther(
    chain: Chain,
    { mont }: PreparedKey,
    { base, exponent }: Power,
    space?: readonly Address[],
  ): void {
    if (space === undefined) throw new RangeError(`other bases: expected at most ${MAX_OTHERS}`)
    const lib = this.#lib
    const bits = bitLength(exponent)
    const width = windowWidth(bits)
    const powers = space.slice(0, 2 ** (width - 1))
    const [first = 0n, ...others] = powers
    lib.write(first, base)
    lib.toMontgomery(first, first, mont, this.#ctx)
    lib.multiply(this.#square, first, first, mont, this.#ctx)
    for (const [i, power] of others.entries())
      lib.multiply(power, powers[i] ?? 0n, this.#square, mont, this.#ctx)
    chain.addPower(exponent, { rows: 1, rowBits: bits, width }, powers)
  }

  #run(chain: Chain, { mont, byteLength }: PreparedKey): bigint {
    const { copy, multiply, fromMontgomery, read } = this.#lib
    const result = this.#result
    const ctx = this.#ctx
    const steps = chain.steps()
    const [start] = steps
    if (start === undefined) return 1n
    copy(result, start)
    for (let i = 1; i < steps.length; i++) multiply(result, result, steps[i] ?? result, mont, ctx)
    fromMontgomery(result, result, mont, ctx)
    return read(result, byteLength)
  }
}

const WORD_BITS = 64
const BLOCK_WORDS = 4

/** A multiple of the modulus that is faster to calculate with: OpenSSL has better code for whole blocks of words, which primes for
 *  keys of 2048 and 4096 bits miss by one word. */
function fasterMultiple(modulus: bigint): bigint {
  const bits = bitLength(modulus)
  const words = Math.ceil(bits / WORD_BITS)
  if (words % BLOCK_WORDS !== BLOCK_WORDS - 1) return modulus
  return modulus * (2n ** BigInt((words + 1) * WORD_BITS - bits) - 1n)
}

/** @param options.tableBytes bound of the memory that tables of keys may take
 *  @throws {Error} if the functions of OpenSSL cannot be called */
export function opensslArithmetic(lib: Libcrypto, { tableBytes = DEFAULT_TABLE_BYTES } = {}): Arithmetic {
  const ctx = lib.newContext()
  const keys = new Keys(lib, ctx, tableBytes)
  const products = new Products(lib, ctx)
  const byFactors = new ProductsByFactors(lib, ctx)
  return {
    name: 'openssl',
    keyProduct(key, powers) {
      const prepared = keys.enter(key)
      try {
        return products.of(prepared, powers)
      } finally {
        prepared.tables.leave()
      }
    },
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
    adopt: shared => keys.adopt(shared),
  }
}
