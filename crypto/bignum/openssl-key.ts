/** One issuer key prepared for OpenSSL: its modulus, and tables of powers of its fixed bases, which are built row by row when needed. The tables are for public
 *  exponents only: the numbers that a product reads from them depend on its exponents. @module */
import type { IssuerPublicKey, SystemParameters } from '../public-key.ts'
import { REVOCATION_BITS, systemParameters } from '../public-key.ts'
import type { Rows } from './chain.ts'
import type { NumberAddress } from './inner-functions.ts'
import { type Address, invert, type Libcrypto } from './libcrypto.ts'
import { type Multiplier, multiplierOf } from './multipliers.ts'
import { Room } from './room.ts'
import { countNumbers, rowLength, SharedTables, type TableLayout } from './shared-tables.ts'

/** The index of each table: 1/Z, S, G, H, then R_0, R_1, ... */
export const TABLE_OF_INVERSE_Z = 0
export const TABLE_OF_S = 1
export const TABLE_OF_G = 2
export const TABLE_OF_H = 3
const TABLE_OF_R_0 = 4

/** The longest rows, in bits. The squarings of a product are the bits of its longest row or of the exponent of its other base. Commitments use S and R_0, and
 *  their other exponent has 256 bits. A proof of non-revocation uses G and H, and its other exponents have 256 and 580 bits. Only disclosures use the remaining
 *  bases, and their other exponent has 900 bits. */
const [ROW_BITS_OF_COMMITMENTS, ROW_BITS_OF_REVOCATION, ROW_BITS_OF_DISCLOSURES] = [404, 530, 900]
/** The width of windows in tables. One more bit saves 8 % of the multiplications with a base, for twice the memory. */
const [WIDTH_OF_INVERSE_Z, WIDTH, LARGEST_WIDTH_OF_R] = [9, 10, 11]
/** The bound of all tables of one key per bit of its modulus: 6 MB for 2048 bits. */
const MAX_BYTES_PER_BIT = 6_000_000 / 2_048

function rowsOf(bits: number, longest: number, width: number): Rows {
  const rows = Math.ceil(bits / longest)
  return { rows, rowBits: rows && Math.ceil(bits / rows), width }
}

/** A base that the key lacks gets a table without rows. */
function tablesOf(
  { R, revocation }: IssuerPublicKey,
  { Ln, LvCommit, LmCommit, Lh }: SystemParameters,
  widthOfR: number,
  widerBases = 0,
): Rows[] {
  const ofG = revocation === undefined ? 0 : Ln + REVOCATION_BITS
  const ofR = R.map((_, i) =>
    i === 0
      ? rowsOf(LmCommit + 3, ROW_BITS_OF_COMMITMENTS, Math.min(widthOfR, WIDTH))
      : rowsOf(LmCommit + 3, ROW_BITS_OF_DISCLOSURES, i <= widerBases ? widthOfR + 1 : widthOfR),
  )
  return [
    rowsOf(Lh, ROW_BITS_OF_COMMITMENTS, WIDTH_OF_INVERSE_Z),
    rowsOf(LvCommit + 1, ROW_BITS_OF_COMMITMENTS, WIDTH),
    rowsOf(ofG, ROW_BITS_OF_REVOCATION, WIDTH),
    rowsOf(ofG, ROW_BITS_OF_REVOCATION, WIDTH),
    ...ofR,
  ]
}

/** The tables in order, with the widest windows of R_i that keep all tables within their bound. Every credential uses the first bases, so these get wider
 *  windows if there is room. */
function layoutsOf(key: IssuerPublicKey, parameters: SystemParameters, stride: number): TableLayout[] {
  const most = (MAX_BYTES_PER_BIT * parameters.Ln) / stride
  const count = (width: number): number => countNumbers(tablesOf(key, parameters, width))
  let width = LARGEST_WIDTH_OF_R
  while (width > 1 && count(width) > most) width--
  const spare = Math.floor((most - count(width)) / 2 ** (width - 1))
  const wider = width === LARGEST_WIDTH_OF_R ? 0 : Math.max(spare, 0)
  let first = 0
  return tablesOf(key, parameters, width, wider).map(rows => {
    const layout = { ...rows, first }
    first += rows.rows * rowLength(rows)
    return layout
  })
}

/** True if all numbers are equal, so that products with one key are products with the other. */
export function isSameKey(a: IssuerPublicKey, b: IssuerPublicKey): boolean {
  if (a === b) return true
  const isSame = a.n === b.n && a.Z === b.Z && a.S === b.S && a.R.length === b.R.length
  const isSameRevocation = a.revocation?.G === b.revocation?.G && a.revocation?.H === b.revocation?.H
  return isSame && isSameRevocation && a.R.every((base, i) => base === b.R[i])
}

/** Belongs to one thread. Only the tables are shared. */
export class PreparedKey {
  readonly key: IssuerPublicKey
  readonly multiplier: Multiplier
  readonly tables: SharedTables
  readonly room: Room
  readonly #layouts: readonly TableLayout[]
  readonly #lib: Libcrypto
  readonly #ctx: Address
  #inverseOfZ: bigint | undefined

  /** @param shared tables of another thread for the same key */
  constructor(lib: Libcrypto, ctx: Address, key: IssuerPublicKey, shared?: SharedArrayBuffer) {
    const parameters = systemParameters(key.n)
    this.#lib = lib
    this.#ctx = ctx
    this.key = key
    this.multiplier = multiplierOf(lib, key.n)
    const { stride } = this.multiplier
    this.#layouts = layoutsOf(key, parameters, stride)
    const isUsable = shared !== undefined && SharedTables.haveStride(shared, stride)
    this.tables = new SharedTables(lib, this.#layouts, stride, isUsable ? shared : undefined)
    this.room = new Room(lib, this.multiplier, key.n)
  }

  /** The memory of the tables of this key when all of them are built. */
  get tableBytes(): number {
    return countNumbers(this.#layouts) * this.multiplier.stride
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

  /** The place of the first number of a table, in Montgomery form; null if the table is not complete. */
  table(index: number): NumberAddress | null {
    const { rows, first } = this.layout(index)
    return this.tables.rowsDone(index) < rows ? null : this.tables.place(first)
  }

  /** The base of a table. */
  base(index: number): bigint {
    if (index === TABLE_OF_S) return this.key.S
    if (index === TABLE_OF_INVERSE_Z) return this.#invertedZ()
    const { R, revocation } = this.key
    const base = [revocation?.G, revocation?.H, ...R][index - TABLE_OF_G]
    return base ?? 0n // never 0n: a base that the key lacks has no layout
  }

  /** Calculates the next row of an incomplete table. */
  buildRow(index: number): void {
    const layout = this.layout(index)
    const row = this.tables.rowsDone(index)
    if (row === layout.rows) return
    const { room, tables, multiplier } = this
    const { multiply } = multiplier
    const [power, square] = [room.result, room.square]
    const start = layout.first + row * rowLength(layout)
    if (row === 0) room.enter(power, this.base(index))
    else {
      const before = tables.place(start - rowLength(layout))
      multiply(power, before, before)
      for (let bit = 1; bit < layout.rowBits; bit++) multiply(power, power, power)
    }
    multiply(square, power, power)
    for (let i = 0; i < rowLength(layout); i++) {
      if (i > 0) multiply(power, power, square)
      tables.write(start + i, room.bytes())
    }
    tables.rowIsDone(index, row)
  }

  /** Frees the memory that belongs to this thread only. */
  close(): void {
    this.multiplier.close()
  }

  #invertedZ(): bigint {
    this.#inverseOfZ ??= invert(this.#lib, this.#ctx, this.key.Z, this.key.n)
    if (this.#inverseOfZ === undefined)
      throw new RangeError('issuer key: expected a Z that has an inverse modulo n')
    return this.#inverseOfZ
  }
}
