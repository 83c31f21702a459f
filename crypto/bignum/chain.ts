/** Products of powers in one chain of squarings: each exponent is cut into windows, and where a window ends its factor is
 *  multiplied in. Both backends plan their work here. Time depends on the exponents. @module */

/** An exponent cut into `rows` parts of `rowBits` bits, the lowest first, which powers of as many bases take side by side. */
export type Rows = { readonly rows: number; readonly rowBits: number; readonly width: number }

/** Width that needs the fewest multiplications for one power of this length, its table of 2^(width - 1) odd powers included. */
export function windowWidth(bits: number): number {
  if (bits > 671) return 6
  if (bits > 239) return 5
  return bits > 79 ? 4 : 3
}

const NONE = -1
/** The bits that four bytes hold for certain, from any bit of the lowest byte on. */
const READ_BITS = 25
const READ_MASK = 2 ** READ_BITS - 1

/** Big-endian, with zeros in front, so that four bytes can be read at any bit.
 *  @returns also the number of bits below the zeros */
function bytesBelowZeros(exponent: bigint): { readonly bytes: Uint8Array; readonly bits: number } {
  const hex = exponent.toString(16)
  const bytes = Buffer.from(`000000${hex.length % 2 === 0 ? '' : '0'}${hex}`, 'hex')
  return { bytes, bits: 8 * (bytes.length - 3) }
}

/** A step of a product: multiply with this factor, a number or the address of one; undefined: square. */
export type ChainStep = bigint | undefined

/** The plan of one product: which factor goes in at which column, counted in squarings from the end. */
export class Chain {
  readonly #factors: bigint[] = []
  readonly #columns: number[] = []
  #top = -1

  /** The exponent is the sum of (2 * i + 1) * 2^(row * rowBits + column) over its windows. A window has at most `width` bits, 16 at most.
   *  @param powers odd powers of as many bases as there are rows: of row r the i-th one at r * 2^(width - 1) + i
   *  @param exponent >= 0, of at most rows * rowBits bits */
  addPower(exponent: bigint, { rows, rowBits, width }: Rows, powers: ArrayLike<bigint>): void {
    const { bytes, bits } = bytesBelowZeros(exponent)
    const last = bytes.length - 1
    for (let row = 0; row < rows; row++) {
      const end = Math.min((row + 1) * rowBits, bits)
      let low = row * rowBits
      while (low < end) {
        const at = last - (low >> 3)
        const high = ((bytes[at - 3] ?? 0) << 24) | ((bytes[at - 2] ?? 0) << 16)
        const next = ((high | ((bytes[at - 1] ?? 0) << 8) | (bytes[at] ?? 0)) >>> (low & 7)) & READ_MASK
        const zeros = next === 0 ? READ_BITS : 31 - Math.clz32(next & -next)
        low += zeros
        if (low >= end || zeros > READ_BITS - width) continue
        const length = Math.min(width, end - low)
        const index = ((next >> zeros) & ((1 << length) - 1)) >> 1
        this.#add(low - row * rowBits, powers[(row << (width - 1)) + index] ?? 0n)
        low += length
      }
    }
  }

  /** In order; the first one is the factor to start from. Empty for a product of nothing. */
  steps(): ChainStep[] {
    const { heads, next } = this.#byColumn()
    const steps: ChainStep[] = []
    for (let column = this.#top; column >= 0; column--) {
      if (steps.length > 0) steps.push(undefined)
      for (let i = heads[column] ?? NONE; i !== NONE; i = next[i] ?? NONE) steps.push(this.#factors[i])
    }
    return steps
  }

  #add(column: number, factor: bigint): void {
    this.#factors.push(factor)
    this.#columns.push(column)
    if (column > this.#top) this.#top = column
  }

  /** The factors of each column as a list: its head, and after each factor the next one. */
  #byColumn(): { readonly heads: Int32Array; readonly next: Int32Array } {
    const heads = new Int32Array(this.#top + 1).fill(NONE)
    const next = new Int32Array(this.#columns.length)
    for (let i = 0; i < next.length; i++) {
      const column = this.#columns[i] ?? 0
      next[i] = heads[column] ?? NONE
      heads[column] = i
    }
    return { heads, next }
  }
}
