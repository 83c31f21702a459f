/** Tables of numbers that all threads of the process share. The numbers of one key are in one piece of shared memory, which lives as long as any thread keeps
 *  it. Rows that were never written, and tables that were released, take no memory of the system (large-pieces.ts). This module knows the place of each number, and calls no OpenSSL function.
 *
 *  A table grows row by row, and its state is the number of completed rows. Two threads may calculate the same row at once: both write the same bytes.
 *  @module */
import type { Rows } from './chain.ts'
import type { NumberAddress } from './inner-functions.ts'
import type { Libcrypto } from './libcrypto.ts'

/** Position and form of one table: `rows` powers base^(2^(row * rowBits)), and for each of them the odd powers 1, 3, ... 2^width - 1. */
export type TableLayout = Rows & { readonly first: number }

const STRIDE = 0
const RETIRED = 1
const FIRST_STATE = 2
/** The length of a cache line. The numbers begin at a multiple of it. */
const LINE_BYTES = 64

/** The number of numbers in one row of a table. */
export function rowLength({ width }: Rows): number {
  return 2 ** (width - 1)
}

/** The number of numbers in all tables. */
export function countNumbers(layouts: readonly Rows[]): number {
  return layouts.reduce((sum, layout) => sum + layout.rows * rowLength(layout), 0)
}

export class SharedTables {
  readonly buffer: SharedArrayBuffer
  readonly #states: Int32Array
  readonly #numbers: Uint8Array
  readonly #stride: number
  readonly #lib: Pick<Libcrypto, 'placeOf'>
  /** of the whole memory, and of the first number */
  readonly #start: NumberAddress
  readonly #place: NumberAddress

  /** Memory of the same size that is never touched, so the system never backs it. Garbage collection counts such memory, but not shared memory. The weight
   *  makes it collect unused tables. */
  readonly weight: ArrayBuffer

  /** @param stride bytes of each number
   *  @param source the `buffer` of another thread's tables with the same layouts and stride; if left out, new tables are created */
  constructor(
    lib: Pick<Libcrypto, 'placeOf'>,
    layouts: readonly TableLayout[],
    stride: number,
    source?: SharedArrayBuffer,
  ) {
    const stateBytes = 4 * (FIRST_STATE + layouts.length)
    const start = LINE_BYTES * Math.ceil(stateBytes / LINE_BYTES)
    this.buffer = source ?? new SharedArrayBuffer(start + countNumbers(layouts) * stride)
    this.weight = new ArrayBuffer(this.buffer.byteLength)
    this.#states = new Int32Array(this.buffer, 0, FIRST_STATE + layouts.length)
    this.#states[STRIDE] = stride
    this.#numbers = new Uint8Array(this.buffer, start)
    this.#stride = stride
    this.#lib = lib
    this.#start = lib.placeOf(new Uint8Array(this.buffer))
    this.#place = this.#start + start
  }

  /** True if a thread whose numbers have this stride can use the tables. */
  static haveStride(buffer: SharedArrayBuffer, stride: number): boolean {
    return new Int32Array(buffer, 0, 1)[STRIDE] === stride
  }

  /** True if `buffer` is the memory of these tables. Every message brings another object for the same memory. */
  isIn(buffer: SharedArrayBuffer): boolean {
    return buffer === this.buffer || this.#lib.placeOf(new Uint8Array(buffer)) === this.#start
  }

  get isRetired(): boolean {
    return Atomics.load(this.#states, RETIRED) !== 0
  }

  /** Marks these tables as released by the thread that made them. Each other thread releases them when it next adopts tables. */
  retire(): void {
    Atomics.store(this.#states, RETIRED, 1)
  }

  rowsDone(index: number): number {
    return Atomics.load(this.#states, FIRST_STATE + index)
  }

  /** Must be called after all numbers of the row are written. */
  rowIsDone(index: number, row: number): void {
    Atomics.compareExchange(this.#states, FIRST_STATE + index, row, row + 1)
  }

  write(number: number, bytes: Uint8Array): void {
    this.#numbers.set(bytes, number * this.#stride)
  }

  place(number: number): NumberAddress {
    return this.#place + number * this.#stride
  }
}
