/** The live actors of this node: a bounded cache of copies of stored rows. Only copies at rest are in it, so that an eviction never meets a
 *  turn; each has a timer for its next deadline. A copy that may differ from the store is dropped. @module */
import { LRUCache } from 'lru-cache'
import type { SessionChart, SessionSnapshot } from '../machines/session.ts'
import { wakeSession } from '../machines/session-snapshot.ts'
import { dueAt } from '../stores/due-at.ts'
import type { SessionId, SessionRow } from '../stores/session-store.ts'
import type { Clock, Timer } from './clock.ts'
import { createWards, type SessionActor, type Wards } from './wards.ts'

/** Node turns a longer one into 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** A live actor and the version of the row that it stands for. */
type Copy = { readonly actor: SessionActor; readonly version: number; timer: Timer }

export class LiveSessions {
  readonly #wards: Wards
  readonly #chart: SessionChart
  readonly #clock: Clock
  readonly #onDue: (id: SessionId) => void
  readonly #resting: LRUCache<SessionId, Copy>
  #isClosed = false

  /** @param onDue called when the deadline of a copy at rest may have passed */
  constructor(chart: SessionChart, clock: Clock, maxLive: number, onDue: (id: SessionId) => void) {
    this.#wards = createWards(chart)
    this.#chart = chart
    this.#clock = clock
    this.#onDue = onDue
    this.#resting = new LRUCache<SessionId, Copy>({
      max: maxLive,
      dispose: (copy, id, reason) => {
        this.#clock.clearTimeout(copy.timer)
        if (reason === 'evict') this.#wards.stop(id)
      },
    })
  }

  get size(): number {
    return this.#resting.size
  }

  /** The actor of this very row, out of the cache until it rests or is dropped.
   *  @throws for a row that the chart cannot read; it is asked before anything is spawned */
  take(row: SessionRow): SessionActor {
    const copy = this.#resting.get(row.id)
    this.#resting.delete(row.id)
    if (copy?.version === row.version) return copy.actor
    if (copy) this.drop(row.id) // another node moved the session
    return this.#wards.spawn(row.id, wakeSession(this.#chart, row.chart ?? 0, row.snapshot))
  }

  /** A session that has just begun comes to rest.
   *  @param snapshot that the row was made of */
  begin(row: SessionRow, snapshot: SessionSnapshot): void {
    this.rest(this.#wards.spawn(row.id, snapshot), row)
  }

  rest(actor: SessionActor, row: SessionRow): void {
    if (this.#isClosed) {
      this.drop(row.id)
      return
    }
    const timer = this.#startTimer(row.id, dueAt(row))
    this.#resting.set(row.id, { actor, version: row.version, timer })
  }

  drop(id: SessionId): void {
    this.#resting.delete(id)
    this.#wards.stop(id)
  }

  close(): void {
    this.#isClosed = true
    for (const id of [...this.#resting.keys()]) this.drop(id)
  }

  #startTimer(id: SessionId, at: number): Timer {
    const waitMs = Math.max(0, at - this.#clock.now())
    if (waitMs <= LONGEST_TIMER_MS) return this.#clock.setTimeout(() => this.#onDue(id), waitMs)
    return this.#clock.setTimeout(() => {
      const copy = this.#resting.peek(id)
      if (copy) copy.timer = this.#startTimer(id, at)
    }, LONGEST_TIMER_MS)
  }
}
