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
/** The factors and columns that a chain has room for at first; it grows with what it is given. */
const [FIRST_FACTORS, FIRST_COLUMNS] = [1_024, 1_024]
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

/** The plan of one product: which factor goes in at which column, counted in squarings from the end. Factors are named by numbers. */
export class Chain {
  #factors = new Float64Array(FIRST_FACTORS)
  /** of the factors of each column, as a list: its head, and after each factor the next one */
  #next = new Int32Array(FIRST_FACTORS)
  #heads = new Int32Array(FIRST_COLUMNS).fill(NONE)
  #count = 0
  #top = NONE

  /** Forgets all powers; the memory stays for the next product. */
  clear(): void {
    this.#heads.fill(NONE, 0, this.#top + 1)
    this.#count = 0
    this.#top = NONE
  }

  /** The exponent is the sum of (2 * i + 1) * 2^(row * rowBits + column) over its windows. A window has at most `width` bits, 16 at most.
   *  @param exponent >= 0, of at most rows * rowBits bits
   *  @param name of the odd powers of as many bases as there are rows: of row r the i-th one is name + step * (r * 2^(width - 1) + i) */
  addPower(exponent: bigint, { rows, rowBits, width }: Rows, name: number, step: number): void {
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
        this.#add(low - row * rowBits, name + step * ((row << (width - 1)) + index))
        low += length
      }
    }
  }

  /** In order: `square` for each squaring, `multiply` with the name of each factor; of these the first one is what the product starts from. */
  run(square: () => void, multiply: (name: number) => void): void {
    const [factors, next, heads] = [this.#factors, this.#next, this.#heads]
    for (let column = this.#top; column >= 0; column--) {
      if (column < this.#top) square()
      for (let i = heads[column] ?? NONE; i !== NONE; i = next[i] ?? NONE) multiply(factors[i] ?? 0)
    }
  }

  #add(column: number, factor: number): void {
    const i = this.#count++
    if (i === this.#factors.length) this.#growFactors()
    if (column >= this.#heads.length) this.#growColumns(column)
    this.#factors[i] = factor
    this.#next[i] = this.#heads[column] ?? NONE
    this.#heads[column] = i
    if (column > this.#top) this.#top = column
  }

  #growFactors(): void {
    const [factors, next] = [this.#factors, this.#next]
    this.#factors = new Float64Array(2 * factors.length)
    this.#factors.set(factors)
    this.#next = new Int32Array(2 * next.length)
    this.#next.set(next)
  }

  #growColumns(column: number): void {
    const heads = this.#heads
    this.#heads = new Int32Array(2 * column).fill(NONE)
    this.#heads.set(heads)
  }
}
