/** Waits until enough replicas have what was written, where the settings ask for it. All that is written before a wait begins shares it: a wait holds up whatever
 *  this node asks behind it. @module */
import { StoreFailure } from '../store-failure.ts'
import type { Connection } from './connection.ts'

/** The longest wait. Then it is unknown whether a fail-over would lose the commit. */
const WAIT_MS = 1_000

export type ReplicasDeps = {
  readonly connection: Pick<Connection, 'ask'>
  /** the replicas that must have it; 0: none */
  readonly wanted: number
  /** something that changes nothing, and is written; answered with 0 if nothing was written */
  readonly touch: readonly string[]
  readonly failed: (failure: StoreFailure) => void
  /** of the store, as a log may show it */
  readonly name: string
}

export class Replicas {
  readonly #deps: ReplicasDeps
  #next: Promise<void> | null = null
  #isOfOthers = false
  /** something may be stored that too few replicas have */
  #isBehind = false

  constructor(deps: ReplicasDeps) {
    this.#deps = deps
  }

  /** Before anybody hears of a commit of this node.
   *  @throws {StoreFailure} then its outcome is unknown: it is made, and a fail-over may lose it */
  async haveOwn(): Promise<void> {
    if (this.#deps.wanted > 0) await this.#shared()
  }

  /** Before anybody hears of a commit of another node: a server waits for what the asking connection has written, so that this one writes behind it.
   *  @throws {StoreFailure} */
  async haveOthers(): Promise<void> {
    if (this.#deps.wanted === 0) return
    this.#isOfOthers = true
    await this.#shared()
  }

  /** Before anybody hears of a row that was read while replicas are missing.
   *  @throws {StoreFailure} */
  async haveWhatIsRead(): Promise<void> {
    if (this.#isBehind) await this.haveOthers()
  }

  #shared(): Promise<void> {
    this.#next ??= new Promise(resolve => setImmediate(resolve)).then(() => {
      this.#next = null
      return this.#wait()
    })
    return this.#next
  }

  async #wait(): Promise<void> {
    const { connection, wanted, touch, failed, name } = this.#deps
    const touched = this.#isOfOthers ? connection.ask(touch) : null
    this.#isOfOthers = false
    let had = 0
    try {
      const waited = connection.ask(['WAIT', String(wanted), String(WAIT_MS)])
      const [count, wrote] = await Promise.all([waited, touched])
      had = wrote === 0 ? 0 : Number(count) // a node without its lease writes nothing, and has waited for less
    } finally {
      this.#isBehind = had < wanted
    }
    if (had >= wanted) return
    const failure = new StoreFailure(
      `store ${name}: expected ${wanted} replicas to have a commit within ${WAIT_MS / 1_000} s, got ${had}: see that the replicas run ("redis_wait_replicas")`,
    )
    failed(failure)
    throw failure
  }
}
