/** Products of powers in one chain of squarings: each exponent is cut into windows, and where a window ends its factor is
 *  multiplied in. Both backends plan their work here; what a factor is they know themselves. Time depends on the exponents. @module */

/** Call `visit` for each window of bits `from` to `to` - 1: bits from..to = sum of (2 * index + 1) * 2^column over all calls.
 *  @param exponent big-endian bytes
 *  @param width    largest length of a window, so `index` is below 2^(width - 1) */
export function eachWindow(
  exponent: Uint8Array,
  { from, to, width }: { readonly from: number; readonly to: number; readonly width: number },
  visit: (column: number, index: number) => void,
): void {
  const last = exponent.length - 1
  const bit = (i: number): number => ((exponent[last - (i >> 3)] ?? 0) >> (i & 7)) & 1
  let high = Math.min(to, exponent.length * 8) - 1
  while (high >= from) {
    if (bit(high) === 0) {
      high--
      continue
    }
    let low = Math.max(from, high - width + 1)
    while (bit(low) === 0) low++
    let digit = 0
    for (let i = high; i >= low; i--) digit = 2 * digit + bit(i)
    visit(low - from, digit >> 1)
    high = low - 1
  }
}

/** Width that needs the fewest multiplications for one power of this length, its table of 2^(width - 1) odd powers included. */
export function windowWidth(bits: number): number {
  if (bits > 671) return 6
  if (bits > 239) return 5
  return bits > 79 ? 4 : 3
}

/** How one backend multiplies; the accumulator is its own. */
export type ChainSteps<Factor> = {
  readonly start: (factor: Factor) => void
  readonly square: () => void
  readonly multiply: (factor: Factor) => void
}

/** The plan of one product: which factor goes in at which column, counted in squarings from the end. */
export class Chain<Factor> {
  readonly #factors: Factor[] = []
  readonly #columns: number[] = []
  #top = -1

  add(column: number, factor: Factor): void {
    this.#factors.push(factor)
    this.#columns.push(column)
    if (column > this.#top) this.#top = column
  }

  get squarings(): number {
    return Math.max(this.#top, 0)
  }

  get multiplications(): number {
    return Math.max(this.#factors.length - 1, 0)
  }

  /** @returns false for a product of nothing: no step was made */
  run({ start, square, multiply }: ChainSteps<Factor>): boolean {
    const byColumn: Factor[][] = Array.from({ length: this.#top + 1 }, () => [])
    for (const [i, factor] of this.#factors.entries()) byColumn[this.#columns[i] ?? 0]?.push(factor)
    let isFirst = true
    for (let column = this.#top; column >= 0; column--) {
      if (!isFirst) square()
      for (const factor of byColumn[column] ?? []) {
        if (isFirst) start(factor)
        else multiply(factor)
        isFirst = false
      }
    }
    return !isFirst
  }
}
