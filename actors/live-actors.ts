/** The live actors of this node: a bounded cache of copies of stored rows. A copy is in the cache only while it rests, between two turns, so an eviction
 *  never affects a turn. A copy that may differ from the store is dropped. @module */
import type { LRUCache } from 'lru-cache'
import { recentEntries } from '../ports/recent-entries.ts'
import type { Kind, KindTypes } from './kind.ts'
import { WakeError } from './move.ts'
import { createWards, type LiveActor, type Wards } from './wards.ts'

/** A live actor, the version of its row, and the count of `forgetAll` calls when it came to rest. */
type Copy<T extends KindTypes> = {
  readonly actor: LiveActor<T>
  readonly version: number
  readonly forgotten: number
}

export class LiveActors<T extends KindTypes> {
  readonly #kind: Kind<T>
  readonly #wards: Wards<T>
  readonly #resting: LRUCache<string, Copy<T>>
  #forgotten = 0
  #isClosed = false

  constructor(kind: Kind<T>, maxLive: number) {
    this.#kind = kind
    this.#wards = createWards<T>(kind.chart)
    this.#resting = recentEntries<string, Copy<T>>(maxLive, (_copy, id, reason) => {
      if (reason === 'evict') this.#wards.stop(id)
    })
  }

  has(id: string): boolean {
    return this.#resting.has(id)
  }

  get size(): number {
    return this.#resting.size
  }

  /** Snapshot for callers outside a turn. It never spawns: the live actor may be ahead of the row, and a second actor with the same id would leak.
   *  @throws {WakeError} for a row that the chart cannot read */
  snapshotOf(row: T['row']): T['snapshot'] {
    return this.#copyOf(row)?.actor.getSnapshot() ?? this.#awoken(row)
  }

  /** Snapshot for the holder of the row's turn, which may move the actor next. It spawns the actor, unless only time can still change the row.
   *  @throws {WakeError} for a row that the chart cannot read */
  snapshotInTurn(row: T['row']): T['snapshot'] {
    return this.#kind.isOver(row) ? this.snapshotOf(row) : this.at(row).getSnapshot()
  }

  /** The actor of this row, at rest, for the holder of the row's turn. It is spawned if needed.
   *  @throws {WakeError} for a row that the chart cannot read, before anything is spawned */
  at(row: T['row']): LiveActor<T> {
    const copy = this.#copyOf(row)
    if (copy) return copy.actor
    if (this.has(row.id)) this.drop(row.id) // another node has changed the row, or `forgetAll` was called
    const actor = this.#wards.spawn(row.id, this.#awoken(row))
    this.#keep(actor, row)
    return actor
  }

  /** From now on no resting copy is used. In a store that was replaced or rolled back, a row with the version of a copy may differ from the copy. Each copy is
   *  stopped when its row is next used. */
  forgetAll(): void {
    this.#forgotten += 1
  }

  #copyOf({ id, version }: T['row']): Copy<T> | null {
    const copy = this.#resting.get(id)
    return copy?.version === version && copy.forgotten === this.#forgotten ? copy : null
  }

  #keep(actor: LiveActor<T>, { id, version }: T['row']): void {
    this.#resting.set(id, { actor, version, forgotten: this.#forgotten })
  }

  #awoken(row: T['row']): T['snapshot'] {
    try {
      return this.#kind.wake(row)
    } catch (error) {
      throw new WakeError(error)
    }
  }

  /** The actor that `at` returns. It is removed from the cache until it rests again or is dropped. */
  take(row: T['row']): LiveActor<T> {
    const actor = this.at(row)
    this.#resting.delete(row.id)
    return actor
  }

  rest(actor: LiveActor<T>, row: T['row']): void {
    if (this.#isClosed) this.drop(row.id)
    else this.#keep(actor, row)
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
