/** What the nodes of a Redis server tell each other: changes of a status, which a commit publishes as its last command. They come on the connection on which this node
 *  commits, in the order of the server, and are told behind what this node has committed before them. @module */
import type { StatusChange } from '../session-store.ts'
import type { CommitListener } from '../store.ts'
import { StoreFailure } from '../store-failure.ts'
import type { Replicas } from './replicas.ts'
import type { Command } from './transaction.ts'

export type ChangesDeps = {
  readonly bootId: string
  readonly channel: string
  readonly replicas: Replicas
  readonly isConnected: () => boolean
}

export class Changes {
  readonly #deps: ChangesDeps
  readonly #listeners = new Map<CommitListener, (() => void) | undefined>()
  #told: Promise<void> = Promise.resolve()

  constructor(deps: ChangesDeps) {
    this.#deps = deps
  }

  subscribe(listener: CommitListener, missed?: () => void): () => void {
    const own: CommitListener = (...heard) => listener(...heard) // the same function may be added twice
    this.#listeners.set(own, missed)
    return () => this.#listeners.delete(own)
  }

  tell: CommitListener = (...heard) => {
    for (const listener of this.#listeners.keys()) listener(...heard)
  }

  missed(): void {
    for (const missed of this.#listeners.values()) missed?.()
  }

  publishing(change: StatusChange): Command {
    const { bootId, channel } = this.#deps
    return ['publish', channel, `${bootId} ${JSON.stringify(change)}`]
  }

  /** A message of a node, which may be this one. The connection may have brought the answer to a commit of this node just before it: whoever made that commit is told
   *  in this turn of the event loop, and of the message in the next. */
  heard(message: string): void {
    const { bootId } = this.#deps
    if (message.startsWith(`${bootId} `)) return
    const change: StatusChange = JSON.parse(message.slice(message.indexOf(' ') + 1))
    this.#told = this.#told.then(() => this.#tellOthers(change))
  }

  async #tellOthers(change: StatusChange): Promise<void> {
    const isKept = await this.#isKept()
    await new Promise(resolve => setImmediate(resolve))
    if (isKept) this.tell(change.id, change)
  }

  /** @returns false: the connection was lost meanwhile, and whoever follows hears of that */
  async #isKept(): Promise<boolean> {
    const { replicas, isConnected } = this.#deps
    while (isConnected()) {
      try {
        await replicas.haveOthers()
        return true
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error // the store has logged it: replicas are missing
      }
    }
    return false
  }
}
