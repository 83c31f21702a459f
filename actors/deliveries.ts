/** Delivers what sessions owe, in the background: nobody waits for it. Each host has a lane of its own with a few attempts at once, so that one that
 *  is slow delays no other; what is not in progress is a row and nothing else. Timers and the rounds only enter turns. What was in progress when a
 *  process died is void at the next start, hence posted again: at least once, with the same key. @module */
import type { DeliveryRow } from '../stores/delivery-store.ts'
import type { SessionStore } from '../stores/session-store.ts'
import type { Clock, Timer } from './clock.ts'
import { type DecideEvent, enterDelivery, whatTimeCaused } from './delivery-gate.ts'
import type { PostCallback } from './post-callback.ts'

const MAX_PER_HOST = 8
/** of all hosts */
const MAX_RUNNING = 1_000
const ROUND_MS = 5_000
const HOSTS_PER_ROUND = 1_000
const MAX_TIMER_MS = 2 ** 31 - 1
/** how long attempts may go on when the server stops */
const STOP_MS = 1_000

export type DeliveriesDeps = {
  readonly store: Pick<SessionStore, 'deliveries' | 'subscribe' | 'isAlive'>
  readonly clock: Clock
  readonly bootId: string
  readonly post: PostCallback
  /** for a log: what an attempt came to */
  readonly tell: (row: DeliveryRow) => void
  /** for a log; ids are hashes */
  readonly report: (id: string, error: unknown) => void
}

/** Attempts to one host. */
class Lane {
  readonly running = new Map<string, Promise<void>>()
  timer: Timer | null = null
  isFilling = false
  isWanted = false
}

export interface Deliveries {
  /** Lets attempts that are being made end, for a bounded time. */
  close(): Promise<void>
}

class RunningDeliveries implements Deliveries {
  readonly #deps: DeliveriesDeps
  readonly #lanes = new Map<string, Lane>()
  readonly #stop = new AbortController()
  readonly #unsubscribe: () => void
  #running = 0
  #roundTimer: Timer | null = null
  #isClosed = false

  constructor(deps: DeliveriesDeps) {
    this.#deps = deps
    this.#unsubscribe = deps.store.subscribe((_id, _change, owed = []) => {
      for (const { host } of owed) void this.#fill(host)
    })
    void this.#start()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unsubscribe()
    const { clock } = this.#deps
    const timers = [this.#roundTimer, ...[...this.#lanes.values()].map(({ timer }) => timer)]
    for (const timer of timers) if (timer) clock.clearTimeout(timer)
    const late = clock.setTimeout(() => this.#stop.abort(), STOP_MS)
    await Promise.all([...this.#lanes.values()].flatMap(({ running }) => [...running.values()]))
    clock.clearTimeout(late)
  }

  /** Attempts of processes that are gone are void; then rounds. */
  async #start(): Promise<void> {
    const { store, clock } = this.#deps
    try {
      for (const id of await store.deliveries.sending()) {
        const row = await store.deliveries.load(id)
        if (row?.bootId && !(await store.isAlive(row.bootId)))
          await this.#enter(id, ({ attempts: attempt, bootId }) =>
            bootId === row.bootId ? { type: 'attempt.voided', attempt, at: clock.now() } : null,
          )
      }
    } catch (error) {
      this.#report('', error)
    }
    await this.#round()
  }

  /** Finds what no timer of a lane holds: rows of before the start, and those that an operator or a failure of the store has moved. */
  async #round(): Promise<void> {
    const { store, clock } = this.#deps
    try {
      const hosts = await store.deliveries.dueHosts(clock.now(), HOSTS_PER_ROUND)
      for (const host of hosts) await this.#fill(host)
    } catch (error) {
      this.#report('', error)
    }
    if (!this.#isClosed) this.#roundTimer = clock.setTimeout(() => void this.#round(), ROUND_MS)
  }

  /** Starts what is due of that host, as far as there is room; once nothing is due, a timer waits for the next. */
  async #fill(host: string): Promise<void> {
    const lane = this.#laneOf(host)
    lane.isWanted = true
    if (lane.isFilling) return
    lane.isFilling = true
    try {
      while (lane.isWanted && !this.#isClosed) {
        lane.isWanted = false
        await this.#startDue(host, lane)
      }
    } catch (error) {
      this.#report('', error)
    } finally {
      lane.isFilling = false
      this.#forgetIdle(host, lane)
    }
  }

  async #startDue(host: string, lane: Lane): Promise<void> {
    const { store, clock } = this.#deps
    if (this.#roomIn(lane) <= 0) return // the end of one comes back here
    const due = await store.deliveries.dueOf(host, clock.now(), 2 * MAX_PER_HOST)
    const waiting = due.filter(id => !lane.running.has(id)).slice(0, this.#roomIn(lane))
    for (const id of waiting) this.#run(id, host, lane)
    if (waiting.length === 0) this.#wake(host, lane, await store.deliveries.nextDueAt(host))
  }

  #roomIn({ running }: Lane): number {
    return Math.min(MAX_PER_HOST - running.size, MAX_RUNNING - this.#running)
  }

  #wake(host: string, lane: Lane, at: number | null): void {
    const { clock } = this.#deps
    if (lane.timer) clock.clearTimeout(lane.timer)
    lane.timer = null
    if (at === null || at <= clock.now() || this.#isClosed) return // what is due and was not started is for the next round
    const ms = Math.min(at - clock.now(), MAX_TIMER_MS)
    lane.timer = clock.setTimeout(() => {
      lane.timer = null
      void this.#fill(host)
    }, ms)
  }

  #run(id: string, host: string, lane: Lane): void {
    this.#running += 1
    const work = this.#attempt(id)
      .catch(error => {
        this.#report(id, error)
        return false
      })
      .then(hasMoved => {
        this.#running -= 1
        lane.running.delete(id)
        // else the next round tries again: whatever fails at once would fail without end
        if (hasMoved) void this.#fill(host)
        else this.#forgetIdle(host, lane)
      })
    lane.running.set(id, work)
  }

  /** @returns whether anything changed */
  async #attempt(id: string): Promise<boolean> {
    const { clock, post, tell } = this.#deps
    const begun = await this.#enter(id, whatTimeCaused(clock.now()))
    if (!begun?.posts || begun.row === null) return begun !== null
    const { event, words } = await post(begun.row, this.#stop.signal)
    const at = clock.now()
    const { attempts: attempt } = begun.row
    const isStopped = this.#stop.signal.aborted && event.type === 'receiver.failed'
    const outcome = isStopped ? ({ type: 'attempt.voided', attempt } as const) : event
    const ended = await this.#enter(id, () => ({ ...outcome, at }), words)
    if (ended?.row) tell(ended.row)
    return ended !== null
  }

  #enter(id: string, decide: DecideEvent, words?: string) {
    const { store, bootId } = this.#deps
    return enterDelivery(store.deliveries, bootId, id, decide, words)
  }

  #laneOf(host: string): Lane {
    const lane = this.#lanes.get(host) ?? new Lane()
    this.#lanes.set(host, lane)
    return lane
  }

  #forgetIdle(host: string, { running, timer, isFilling }: Lane): void {
    if (running.size === 0 && timer === null && !isFilling) this.#lanes.delete(host)
  }

  #report(id: string, error: unknown): void {
    if (!this.#isClosed) this.#deps.report(id, error)
  }
}

export function createDeliveries(deps: DeliveriesDeps): Deliveries {
  return new RunningDeliveries(deps)
}
