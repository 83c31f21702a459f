/** The live actors of this node: a bounded cache of copies of stored rows, for rows in the midst of their calls. Only copies at rest are in it, so that an
 *  eviction never meets a turn. A copy that may differ from the store is dropped. @module */
import { LRUCache } from 'lru-cache'
import type { Kind, KindTypes } from './kind.ts'
import { WakeFailure } from './move.ts'
import { createWards, type LiveActor, type Wards } from './wards.ts'

/** A live actor and the version of the row that it stands for. */
type Copy<T extends KindTypes> = { readonly actor: LiveActor<T>; readonly version: number }

export class LiveActors<T extends KindTypes> {
  readonly #kind: Kind<T>
  readonly #wards: Wards<T>
  readonly #resting: LRUCache<string, Copy<T>>
  #isClosed = false

  constructor(kind: Kind<T>, maxLive: number) {
    this.#kind = kind
    this.#wards = createWards<T>(kind.chart)
    this.#resting = new LRUCache<string, Copy<T>>({
      max: maxLive,
      dispose: (_copy, id, reason) => {
        if (reason === 'evict') this.#wards.stop(id)
      },
    })
  }

  has(id: string): boolean {
    return this.#resting.has(id)
  }

  get size(): number {
    return this.#resting.size
  }

  /** What the actor of this very row would say, for whoever asks outside of the row's turns: one that is taken meanwhile is ahead of the row, and a second
   *  one, spawned under its name, would be forgotten and never stopped.
   *  @throws for a row that the chart cannot read */
  snapshotOf(row: T['row']): T['snapshot'] {
    const copy = this.#resting.get(row.id)
    return copy?.version === row.version ? copy.actor.getSnapshot() : this.#kind.wake(row)
  }

  /** The actor of this very row, at rest, for whoever has its turn: asking it changes nothing.
   *  @throws {WakeFailure} for a row that the chart cannot read; it is asked before anything is spawned */
  at(row: T['row']): LiveActor<T> {
    const { id, version } = row
    const copy = this.#resting.get(id)
    if (copy?.version === version) return copy.actor
    if (copy) this.drop(id) // another node moved it
    const actor = this.#wards.spawn(id, this.#awoken(row))
    this.#resting.set(id, { actor, version })
    return actor
  }

  #awoken(row: T['row']): T['snapshot'] {
    try {
      return this.#kind.wake(row)
    } catch (error) {
      throw new WakeFailure(error)
    }
  }

  /** The same, out of the cache until it rests again or is dropped. */
  take(row: T['row']): LiveActor<T> {
    const actor = this.at(row)
    this.#resting.delete(row.id)
    return actor
  }

  rest(actor: LiveActor<T>, { id, version }: T['row']): void {
    if (this.#isClosed) this.drop(id)
    else this.#resting.set(id, { actor, version })
  }

  drop(id: string): void {
    this.#resting.delete(id)
    this.#wards.stop(id)
  }

  close(): void {
    this.#isClosed = true
    for (const id of [...this.#resting.keys()]) this.drop(id)
  }
}
