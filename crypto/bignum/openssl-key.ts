/** One issuer key made ready for OpenSSL: its modulus, and tables of powers of its fixed bases, each built when first needed.
 *  The tables serve public exponents only: which numbers a product reads from them depends on its exponents. @module */
import type { IssuerPublicKey, SystemParameters } from '../public-key.ts'
import { REVOCATION_BITS, systemParameters } from '../public-key.ts'
import { type Address, invert, type Libcrypto, withNumbers } from './libcrypto.ts'
import { rowLength, SharedTables, type TableLayout } from './shared-tables.ts'

/** The index of each table: 1/Z, S, G, H, then R_0, R_1, ... */
export const TABLE_OF_INVERSE_Z = 0
export const TABLE_OF_S = 1
export const TABLE_OF_G = 2
export const TABLE_OF_H = 3
const TABLE_OF_R_0 = 4

/** The longest row: short enough for products whose other base has a short exponent, long enough for few rows. */
const MAX_ROW_BITS = 404
/** The width of windows in tables. One bit more saves 4 % of a product, for twice the memory (5 MB for 2048 bits and 12 bases) and time of building. */
const WIDTH = 10
const NUMBER_OVERHEAD_BYTES = 64

/** A base that the key does not have gets a table without rows. */
function layoutsOf(
  { R, revocation }: IssuerPublicKey,
  { Ln, LvCommit, LmCommit, Lh }: SystemParameters,
): TableLayout[] {
  let first = 0
  const layout = (bits: number, width: number): TableLayout => {
    const rows = Math.ceil(bits / MAX_ROW_BITS)
    const table = { first, rows, rowBits: rows && Math.ceil(bits / rows), width }
    first += rows * rowLength(table)
    return table
  }
  const ofG = revocation === undefined ? 0 : Ln + REVOCATION_BITS
  const exponents = [LvCommit + 1, ofG, ofG, ...R.map(() => LmCommit + 3)]
  return [layout(Lh, WIDTH - 1), ...exponents.map(bits => layout(bits, WIDTH))]
}

/** Equal numbers, so that products with one key are products with the other. */
export function isSameKey(a: IssuerPublicKey, b: IssuerPublicKey): boolean {
  if (a === b) return true
  const isSame = a.n === b.n && a.Z === b.Z && a.S === b.S && a.R.length === b.R.length
  const isSameRevocation = a.revocation?.G === b.revocation?.G && a.revocation?.H === b.revocation?.H
  return isSame && isSameRevocation && a.R.every((base, i) => base === b.R[i])
}

/** Belongs to one thread; only the tables are shared. */
export class PreparedKey {
  readonly key: IssuerPublicKey
  readonly mont: Address
  readonly tables: SharedTables
  readonly isOwner: boolean
  readonly #layouts: readonly TableLayout[]
  readonly byteLength: number
  readonly #lib: Libcrypto
  readonly #ctx: Address

  /** @param shared tables of another thread for the same key; without them this thread makes and owns its own */
  constructor(lib: Libcrypto, ctx: Address, key: IssuerPublicKey, shared?: SharedArrayBuffer) {
    const parameters = systemParameters(key.n)
    this.#lib = lib
    this.#ctx = ctx
    this.key = key
    this.byteLength = parameters.Ln / 8
    this.#layouts = layoutsOf(key, parameters)
    const modulus = lib.newNumber()
    lib.write(modulus, key.n)
    this.mont = lib.newMontgomery(modulus, ctx)
    lib.freeNumber(modulus)
    this.isOwner = shared === undefined
    this.tables = new SharedTables(this.#layouts, shared ?? this.mont)
  }

  /** Upper bound of the memory that the tables of this key take. */
  get tableBytes(): number {
    const numbers = this.#layouts.reduce((sum, layout) => sum + layout.rows * rowLength(layout), 0)
    return numbers * (this.byteLength + NUMBER_OVERHEAD_BYTES)
  }

  /** Index of the table of R_i. */
  tableOfR(i: number): number {
    if (this.key.R[i] === undefined)
      throw new RangeError(`base index: expected below ${this.key.R.length}, got ${i}`)
    return TABLE_OF_R_0 + i
  }

  layout(index: number): TableLayout {
    const layout = this.#layouts[index]
    if (layout === undefined || layout.rows === 0)
      throw new RangeError(`table: expected one of a base that the key has, got ${index}`)
    return layout
  }

  /** Addresses of a table's numbers, in Montgomery form; the caller has entered the tables. */
  table(index: number): BigUint64Array {
    const layout = this.layout(index)
    return this.tables.table(index, layout, addresses => this.#build(this.#base(index), layout, addresses))
  }

  /** @returns true when nothing is left to free; false: another thread is using the tables, ask again later */
  release(): boolean {
    if (!this.isOwner) return true
    const addresses = this.tables.retire()
    if (addresses === undefined) return false
    for (const address of addresses) if (address !== 0n) this.#lib.freeNumber(address)
    return true
  }

  /** Free what belongs to this thread alone. */
  close(): void {
    this.#lib.freeMontgomery(this.mont)
  }

  #base(index: number): bigint {
    if (index === TABLE_OF_S) return this.key.S
    if (index === TABLE_OF_INVERSE_Z) return this.#inverseOfZ()
    const { R, revocation } = this.key
    const base = [revocation?.G, revocation?.H, ...R][index - TABLE_OF_G]
    return base ?? 0n // never: a base that the key does not have has no layout
  }

  #inverseOfZ(): bigint {
    const inverse = invert(this.#lib, this.#ctx, this.key.Z, this.key.n)
    if (inverse === undefined) throw new RangeError('issuer key: expected a Z that has an inverse modulo n')
    return inverse
  }

  #build(base: bigint, layout: TableLayout, addresses: BigUint64Array): void {
    const lib = this.#lib
    const multiply = (r: Address, a: Address, b: Address): void => lib.multiply(r, a, b, this.mont, this.#ctx)
    withNumbers(lib, number => {
      const power = number(base)
      const square = number(0n)
      lib.toMontgomery(power, power, this.mont, this.#ctx)
      for (let row = 0; row < layout.rows; row++) {
        const start = row * rowLength(layout)
        multiply(square, power, power)
        let last = 0n
        for (let i = start; i < start + rowLength(layout); i++) {
          const entry = lib.newNumber()
          if (i === start) lib.copy(entry, power)
          else multiply(entry, last, square)
          addresses[i] = entry // once it is calculated: two may be building, and others read when the first is done
          last = entry
        }
        for (let bit = 0; bit < layout.rowBits; bit++) multiply(power, power, power)
      }
    })
  }
}
