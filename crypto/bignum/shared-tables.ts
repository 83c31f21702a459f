/** Tables of numbers that all threads of the process use. The numbers of one key lie in one piece of shared memory, which lasts as long as any thread
 *  keeps it; of a table that nobody needs the system gives no memory (large-pieces.ts). This module knows where each number lies, and calls no OpenSSL function.
 *
 *  A table grows row by row, and its state is the number of its rows that are done. Two threads may calculate the same row at once:
 *  both write the same bytes. @module */
import type { Rows } from './chain.ts'
import type { Place } from './inner-functions.ts'
import type { Libcrypto } from './libcrypto.ts'

/** Place and form of one table: `rows` powers base^(2^(row * rowBits)), of each the odd powers 1, 3, ... 2^width - 1. */
export type TableLayout = Rows & { readonly first: number }

const STRIDE = 0
const RETIRED = 1
const FIRST_STATE = 2
/** The length of a cache line, at a multiple of which the numbers begin. */
const LINE_BYTES = 64

/** Numbers in one row of a table. */
export function rowLength({ width }: Rows): number {
  return 2 ** (width - 1)
}

/** Numbers in all tables. */
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
  readonly #start: Place
  readonly #place: Place

  /** Memory that is never touched, and so never given by the system. The engine collects when such memory is held by much that nobody uses any more;
   *  shared memory it does not count. */
  readonly weight: ArrayBuffer

  /** @param stride bytes of each number
   *  @param source what another thread's tables with the same layouts and stride gave as `buffer`; left out: new tables */
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

  /** Whether a thread that calculates with such numbers can use these. */
  static haveStride(buffer: SharedArrayBuffer, stride: number): boolean {
    return new Int32Array(buffer, 0, 1)[STRIDE] === stride
  }

  /** Whether `buffer` leads to these tables, too: every message brings another object for the same memory. */
  isIn(buffer: SharedArrayBuffer): boolean {
    return buffer === this.buffer || this.#lib.placeOf(new Uint8Array(buffer)) === this.#start
  }

  get isRetired(): boolean {
    return Atomics.load(this.#states, RETIRED) !== 0
  }

  /** Asks other threads to let go of these tables when they get others: their maker has. */
  retire(): void {
    Atomics.store(this.#states, RETIRED, 1)
  }

  rowsDone(index: number): number {
    return Atomics.load(this.#states, FIRST_STATE + index)
  }

  /** To be called once all numbers of the row are there. */
  rowIsDone(index: number, row: number): void {
    Atomics.compareExchange(this.#states, FIRST_STATE + index, row, row + 1)
  }

  write(number: number, bytes: Uint8Array): void {
    this.#numbers.set(bytes, number * this.#stride)
  }

  place(number: number): Place {
    return this.#place + number * this.#stride
  }
}
