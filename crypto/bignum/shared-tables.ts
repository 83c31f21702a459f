/** Tables of numbers that all threads of the process use: where each one lies, who builds it and who frees it. The numbers are
 *  C memory; this module keeps their addresses in a SharedArrayBuffer and calls no OpenSSL function itself.
 *
 *  Who frees: the thread that made the tables, with `retire`, once nobody is inside `enter` and `leave`. A thread that dies in
 *  between keeps them alive until the process ends: memory is lost then, never used after it was freed. @module */
import type { Rows } from './chain.ts'

/** Place and form of one table: `rows` powers base^(2^(row * rowBits)), of each the odd powers 1, 3, ... 2^width - 1. */
export type TableLayout = Rows & { readonly first: number }

const USERS = 0
const RETIRED = 1
const FIRST_STATE = 2
const MISSING = 0
const BEING_BUILT = 1
const READY = 2
const WAIT_MS = 2_000

/** Numbers in one row of a table. */
export function rowLength({ width }: TableLayout): number {
  return 2 ** (width - 1)
}

export class SharedTables {
  readonly buffer: SharedArrayBuffer
  readonly #state: Int32Array
  readonly #addresses: BigUint64Array
  /** names these tables within the process as long as they are not retired */
  readonly #id: BigUint64Array

  /** @param source what another thread's tables gave as `buffer`, or the identity of new tables: an address their maker keeps */
  constructor(layouts: readonly TableLayout[], source: SharedArrayBuffer | bigint) {
    const numbers = layouts.reduce((sum, layout) => sum + layout.rows * rowLength(layout), 0)
    const stateBytes = 8 * Math.ceil((FIRST_STATE + layouts.length) / 2)
    const isNew = typeof source === 'bigint'
    this.buffer = isNew ? new SharedArrayBuffer(8 + stateBytes + 8 * numbers) : source
    this.#id = new BigUint64Array(this.buffer, 0, 1)
    this.#state = new Int32Array(this.buffer, 8, FIRST_STATE + layouts.length)
    this.#addresses = new BigUint64Array(this.buffer, 8 + stateBytes, numbers)
    if (isNew) this.#id[0] = source
  }

  /** Whether `buffer` leads to these tables, and they can be used. */
  isSameAs(buffer: SharedArrayBuffer): boolean {
    return !this.isRetired && this.#id[0] === new BigUint64Array(buffer, 0, 1)[0]
  }

  get isRetired(): boolean {
    return Atomics.load(this.#state, RETIRED) !== 0
  }

  /** Before the tables are used. True obliges to `leave`; false: they are retired, do not touch them. */
  enter(): boolean {
    Atomics.add(this.#state, USERS, 1)
    if (!this.isRetired) return true
    this.leave()
    return false
  }

  leave(): void {
    Atomics.sub(this.#state, USERS, 1)
  }

  /** Addresses of the numbers of table `index`, row after row; call between `enter` and `leave`. The first thread to ask builds it,
   *  others wait; when a builder takes too long it may be dead and the next one starts afresh: both write the same numbers. */
  table(index: number, layout: TableLayout, build: (addresses: BigUint64Array) => void): BigUint64Array {
    const { first, rows } = layout
    const addresses = this.#addresses.subarray(first, first + rows * rowLength(layout))
    const cell = FIRST_STATE + index
    if (Atomics.load(this.#state, cell) === READY) return addresses
    if (Atomics.compareExchange(this.#state, cell, MISSING, BEING_BUILT) === BEING_BUILT)
      Atomics.wait(this.#state, cell, BEING_BUILT, WAIT_MS)
    if (Atomics.load(this.#state, cell) !== READY) build(addresses)
    Atomics.store(this.#state, cell, READY)
    Atomics.notify(this.#state, cell)
    return addresses
  }

  /** From now on nobody enters.
   *  @returns addresses of everything to free, now; undefined while somebody is inside: ask again later */
  retire(): BigUint64Array | undefined {
    Atomics.store(this.#state, RETIRED, 1)
    return Atomics.load(this.#state, USERS) === 0 ? this.#addresses : undefined
  }
}
