/** The index of deadlines: it finds the sessions that no timer of a live actor holds (evicted, never woken, left by a node that died), and
 *  only makes them enter a turn. On its rounds it also forgets stored answers. @module */
import { CHART } from '../machines/session.ts'
import type { SessionId, SessionStore } from '../stores/session-store.ts'
import type { Clock, Timer } from './clock.ts'
import { REPLAY_MS } from './replay.ts'

const ROUND_MS = 5_000
const BATCH = 256

export type DeadlinesDeps = {
  readonly store: SessionStore
  readonly clock: Clock
  readonly enter: (id: SessionId) => Promise<unknown>
  readonly report: (id: SessionId, error: unknown) => void
}

export class Deadlines {
  readonly #deps: DeadlinesDeps
  #timer: Timer | null = null
  #isClosed = false

  constructor(deps: DeadlinesDeps) {
    this.#deps = deps
  }

  /** One round now, and one every five seconds. */
  async start(): Promise<void> {
    try {
      await this.#round()
    } catch (error) {
      this.#deps.report('', error)
    }
    if (!this.#isClosed) this.#timer = this.#deps.clock.setTimeout(() => void this.start(), ROUND_MS)
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer) this.#deps.clock.clearTimeout(this.#timer)
  }

  async #round(): Promise<void> {
    const { store, clock } = this.#deps
    const startedAt = clock.now()
    await store.dropAnswers(startedAt - REPLAY_MS)
    let progress = 1
    while (progress > 0 && !this.#isClosed) {
      const ids = await store.due(startedAt, CHART, BATCH)
      const turns = await Promise.all(ids.map(id => this.#turn(id)))
      progress = ids.length < BATCH ? 0 : turns.filter(isDone => isDone).length
    }
  }

  /** @returns whether it succeeded */
  async #turn(id: SessionId): Promise<boolean> {
    try {
      await this.#deps.enter(id)
      return true
    } catch (error) {
      this.#deps.report(id, error)
      return false
    }
  }
}
