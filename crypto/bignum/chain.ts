/** Products of powers in one chain of squarings: each exponent is cut into windows, and the factor of a window is multiplied in at its end. Both backends plan
 *  their products here. The time depends on the exponents. @module */

/** An exponent cut into `rows` parts of `rowBits` bits, lowest part first. Each part is the exponent of a base of its own, and all parts share the squarings. */
export type Rows = { readonly rows: number; readonly rowBits: number; readonly width: number }

/** The width that needs the fewest multiplications for one power of this length, including its table of 2^(width - 1) odd powers. */
export function windowWidth(bits: number): number {
  if (bits > 671) return 6
  if (bits > 239) return 5
  return bits > 79 ? 4 : 3
}

const NONE = -1
/** The initial capacity of a chain for factors and columns. It grows when needed. */
const [FIRST_FACTORS, FIRST_COLUMNS] = [1_024, 1_024]
/** The bits that four bytes are certain to contain, counted from any bit of the lowest byte. */
const READ_BITS = 25
const READ_MASK = 2 ** READ_BITS - 1

/** Big-endian with leading zeros, so that four bytes can be read at any bit.
 *  @returns also the number of bits after the zeros */
function bytesBelowZeros(exponent: bigint): { readonly bytes: Uint8Array; readonly bits: number } {
  const hex = exponent.toString(16)
  const bytes = Buffer.from(`000000${hex.length % 2 === 0 ? '' : '0'}${hex}`, 'hex')
  return { bytes, bits: 8 * (bytes.length - 3) }
}

/** The plan of one product: the column of each factor, counted in squarings from the end. Factors are named by numbers. */
export class Chain {
  #factors = new Float64Array(FIRST_FACTORS)
  /** the factors of each column as a linked list: its head, and the successor of each factor */
  #next = new Int32Array(FIRST_FACTORS)
  #heads = new Int32Array(FIRST_COLUMNS).fill(NONE)
  #count = 0
  #top = NONE

  /** Removes all powers. The memory is kept for the next product. */
  clear(): void {
    this.#heads.fill(NONE, 0, this.#top + 1)
    this.#count = 0
    this.#top = NONE
  }

  /** Adds a power. Its exponent is the sum of (2 * i + 1) * 2^(row * rowBits + column) over its windows, of at most `width` bits each; `width` is at most 16.
   *  @param exponent >= 0, of at most rows * rowBits bits
   *  @param name number of the first odd power: the i-th odd power of row r is name + step * (r * 2^(width - 1) + i) */
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

  /** In order: `square` for each squaring, `multiply` with the name of each factor. The product starts from the first factor. */
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
