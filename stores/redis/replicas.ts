/** Waits until enough replicas have a commit, if the settings require it. All commits before a wait share it, because a wait delays the later
 *  commands of this node. @module */
import { StoreError } from '../store-error.ts'
import type { Connection } from './connection.ts'

/** The maximum wait. After it the commit may be lost in a fail-over. */
const WAIT_MS = 1_000

export type ReplicasDeps = {
  readonly connection: Pick<Connection, 'ask'>
  /** number of replicas that must have a commit; 0: no wait */
  readonly wanted: number
  /** a command that is replicated without changing data; returns 0 if it was not replicated */
  readonly touch: readonly string[]
  readonly failed: (failure: StoreError) => void
  /** of the store, as a log may show it */
  readonly name: string
}

export class Replicas {
  readonly #deps: ReplicasDeps
  #next: Promise<void> | null = null
  #isOfOthers = false
  /** true: the server may hold data that too few replicas have */
  #isBehind = false

  constructor(deps: ReplicasDeps) {
    this.#deps = deps
  }

  /** Waits before an own commit becomes visible.
   *  @throws {StoreError} the outcome is unknown: the commit was made, but a fail-over may lose it */
  async haveOwn(): Promise<void> {
    if (this.#deps.wanted > 0) await this.#shared()
  }

  /** Waits before a commit of another node becomes visible. A server waits only for writes of the same connection, so this one first sends a write.
   *  @throws {StoreError} */
  async haveOthers(): Promise<void> {
    if (this.#deps.wanted === 0) return
    this.#isOfOthers = true
    await this.#shared()
  }

  /** Waits before a row that was read becomes visible, if replicas are missing.
   *  @throws {StoreError} */
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
      had = wrote === 0 ? 0 : Number(count) // a node without its lease wrote nothing, so it waited for older writes only
    } finally {
      this.#isBehind = had < wanted
    }
    if (had >= wanted) return
    const failure = new StoreError(
      `store ${name}: expected ${wanted} replicas to have a commit within ${WAIT_MS / 1_000} s, got ${had}: see that the replicas run ("redis_wait_replicas")`,
    )
    failed(failure)
    throw failure
  }
}
