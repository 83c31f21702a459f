/** Products of powers in one chain of squarings: each exponent is cut into windows, and where a window ends its factor is
 *  multiplied in. Both backends plan their work here. Time depends on the exponents. @module */

/** An exponent cut into `rows` parts of `rowBits` bits, the lowest first, which powers of as many bases take side by side. */
export type Rows = { readonly rows: number; readonly rowBits: number; readonly width: number }

/** Call `visit` for each window: an exponent = sum of (2 * index + 1) * 2^(row * rowBits + column) over all calls. A window has at
 *  most `width` bits, 16 at most, so that `index` is below 2^(width - 1).
 *  @param exponent >= 0, of at most rows * rowBits bits */
export function eachWindow(
  exponent: bigint,
  { rows, rowBits, width }: Rows,
  visit: (row: number, column: number, index: number) => void,
): void {
  const hex = exponent.toString(16)
  // two bytes of zeros in front, so that three bytes can be read at any bit: they hold 17 bits from that bit on
  const bytes = Buffer.from(`0000${hex.length % 2 === 0 ? '' : '0'}${hex}`, 'hex')
  const last = bytes.length - 1
  const bits = 8 * (bytes.length - 2)
  for (let row = 0; row < rows; row++) {
    const from = row * rowBits
    const end = Math.min(from + rowBits, bits)
    let low = from
    while (low < end) {
      const at = last - (low >> 3)
      const chunk = (bytes[at] ?? 0) | ((bytes[at - 1] ?? 0) << 8) | ((bytes[at - 2] ?? 0) << 16)
      const next = (chunk >> (low & 7)) & 0xffff
      if ((next & 1) === 0) {
        low += next === 0 ? 16 : 31 - Math.clz32(next & -next)
        continue
      }
      const length = Math.min(width, end - low)
      visit(row, low - from, (next & ((1 << length) - 1)) >> 1)
      low += length
    }
  }
}

/** Width that needs the fewest multiplications for one power of this length, its table of 2^(width - 1) odd powers included. */
export function windowWidth(bits: number): number {
  if (bits > 671) return 6
  if (bits > 239) return 5
  return bits > 79 ? 4 : 3
}

/** How one backend multiplies; the accumulator is its own, and so is what a factor stands for: a number, or the address of one. */
export type ChainSteps = {
  readonly start: (factor: bigint) => void
  readonly square: () => void
  readonly multiply: (factor: bigint) => void
}

const NONE = -1

/** The plan of one product: which factor goes in at which column, counted in squarings from the end. */
export class Chain {
  readonly #factors: bigint[] = []
  readonly #columns: number[] = []
  #top = -1

  add(column: number, factor: bigint): void {
    this.#factors.push(factor)
    this.#columns.push(column)
    if (column > this.#top) this.#top = column
  }

  /** @returns false for a product of nothing: no step was made */
  run({ start, square, multiply }: ChainSteps): boolean {
    const { heads, next } = this.#byColumn()
    let isFirst = true
    for (let column = this.#top; column >= 0; column--) {
      if (!isFirst) square()
      for (let i = heads[column] ?? NONE; i !== NONE; i = next[i] ?? NONE) {
        const factor = this.#factors[i] ?? 0n
        if (isFirst) start(factor)
        else multiply(factor)
        isFirst = false
      }
    }
    return !isFirst
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
