/** Notifications between the nodes of a Redis server about changed statuses. A commit publishes one as its last command. They arrive on the
 *  connection of the node's commits, including its own, in the order of the server, and are passed on in that order. Changes of other nodes are
 *  passed on in the next turn of the event loop. An own change is passed on when the answer to the commit arrives, after all earlier ones. @module */
import type { DeliveryRow } from '../delivery-store.ts'
import type { StatusChange } from '../session-store.ts'
import type { CommitListener } from '../store.ts'
import { StoreError } from '../store-error.ts'
import type { Replicas } from './replicas.ts'
import type { Command } from './transaction.ts'

export type ChangesDeps = {
  readonly bootId: string
  readonly channel: string
  readonly replicas: Pick<Replicas, 'haveOthers'>
  readonly isConnected: () => boolean
}

type Message = { readonly bootId: string; readonly change: StatusChange }

export class Changes {
  readonly #deps: ChangesDeps
  readonly #listeners = new Map<CommitListener, (() => void) | undefined>()
  /** messages that arrived and are not passed on yet */
  readonly #messages: Message[] = []
  /** deliveries that running commits of this node add */
  readonly #owed = new Map<string, readonly DeliveryRow[] | undefined>()
  #isNotifying = false

  constructor(deps: ChangesDeps) {
    this.#deps = deps
  }

  subscribe(listener: CommitListener, missed?: () => void): () => void {
    const own: CommitListener = (...heard) => listener(...heard) // a wrapper, so that the same function can be added twice
    this.#listeners.set(own, missed)
    return () => this.#listeners.delete(own)
  }

  notify(...commit: Parameters<CommitListener>): void {
    for (const listener of this.#listeners.keys()) listener(...commit)
  }

  missed(): void {
    for (const missed of this.#listeners.values()) missed?.()
  }

  /** Returns the command that publishes a change of this node. Call `over` at the end of the commit. */
  publishing(change: StatusChange, owed: readonly DeliveryRow[] | undefined): Command {
    const { bootId, channel } = this.#deps
    this.#owed.set(nameOf(change), owed)
    return ['publish', channel, JSON.stringify({ bootId, change })]
  }

  /** @param isMade false: the commit failed or its outcome is unknown; if it did succeed, its message is handled like one of another node */
  over(change: StatusChange, isMade: boolean): void {
    if (isMade)
      this.#notifyUpTo(
        this.#messages.find(each => this.#isOwn(each) && nameOf(each.change) === nameOf(change)),
      )
    this.#owed.delete(nameOf(change))
  }

  /** Handles a message of a node, which may be this one. */
  notifyMessage(text: string): void {
    const message = messageIn(text)
    if (message === null) this.missed()
    else this.#messages.push(message)
    if (!this.#isNotifying) void this.#notifyAll()
  }

  async #notifyAll(): Promise<void> {
    this.#isNotifying = true
    while (this.#messages.length > 0) {
      await new Promise(resolve => setImmediate(resolve))
      const last = this.#messages.at(-1)
      if (await this.#isKept()) this.#notifyUpTo(last)
      else this.#messages.length = 0 // the connection was lost; subscribers are notified of the loss
    }
    this.#isNotifying = false
  }

  #notifyUpTo(last: Message | undefined): void {
    const count = last === undefined ? 0 : this.#messages.indexOf(last) + 1
    for (const message of this.#messages.splice(0, count)) {
      const { change } = message
      const owed = this.#isOwn(message) ? this.#owed.get(nameOf(change)) : undefined
      this.notify(change.id, change, owed)
    }
  }

  #isOwn({ bootId }: Message): boolean {
    return bootId === this.#deps.bootId
  }

  /** @returns false: the connection was lost meanwhile */
  async #isKept(): Promise<boolean> {
    const { replicas, isConnected } = this.#deps
    while (isConnected()) {
      try {
        await replicas.haveOthers()
        return true
      } catch (error) {
        if (!(error instanceof StoreError)) throw error // the store has logged that replicas are missing
      }
    }
    return false
  }
}

function nameOf({ id, version }: StatusChange): string {
  return `${id} ${version}`
}

/** @returns null: the text is not a message of a node, or it has the format of a newer version */
function messageIn(text: string): Message | null {
  try {
    const { bootId, change } = JSON.parse(text)
    return change ? { bootId, change } : null
  } catch {
    return null
  }
}
