/** Delivers the callbacks and mails of sessions and accounts in the background: no caller waits for it. Each delivery is an actor behind a gate of its own;
 *  this module schedules its attempts. Each host has a lane with a few concurrent attempts, so a slow host delays no other host. A delivery without an attempt
 *  in progress is only a row. If the process of an attempt dies, the next start voids the attempt and retries the delivery with the same key. A delivery is
 *  therefore performed at least once. @module */
import type { Clock } from '../../ports/clock.ts'
import type { Trace } from '../../ports/traces.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import type { DeliveriesBeside, Store } from '../../stores/store.ts'
import { apartFrom, Deadlines, type NodeSpread } from '../deadlines.ts'
import { Gate } from '../gate.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { inspectDeliveries } from '../inspection/sources.ts'
import type { RowsOf } from '../kind.ts'
import { type DeliveryKind, deliveryKind } from '../kinds/delivery.ts'
import type { Figures } from '../metrics/figures.ts'
import type { Attempt } from './attempt.ts'

/** The most concurrent attempts to one host. */
const MAX_PER_HOST = 8
/** The most due deliveries to one host that a node of a shared store reads at once. It picks a few of them, so that nodes rarely pick the same one. */
const SEEN_SHARED = 64
/** The most concurrent attempts to all hosts, and so the most live actors. */
const MAX_RUNNING = 1_000
/** The longest time that attempts may continue when the server stops. */
const STOP_MS = 1_000

export type DeliveriesDeps = {
  readonly store: Rows & Pick<Store, 'subscribe' | 'nodes'>
  readonly clock: Clock
  readonly bootId: string
  readonly post: Attempt
  /** the view of the actors for inspectors; left out: no inspection */
  readonly inspection?: Inspection | undefined
  /** figures to count; left out: none */
  readonly figures?: Pick<Figures, 'deliveries' | 'rows'> | undefined
  /** receives the outcome of each attempt, for a log */
  readonly notify: (row: DeliveryRow, trace?: Trace) => void
  /** receives failures, for a log; ids are hashes */
  readonly report: (id: string, error: unknown) => void
}

/** Attempts to one host. */
class Lane {
  readonly running = new Map<string, Promise<void>>()
  isFilling = false
  isWanted = false
}

export interface Deliveries {
  /** Waits a bounded time for the attempts in progress. */
  close(): Promise<void>
}

type Rows = Pick<DeliveriesBeside, 'deliveries' | 'commit'>

class RunningDeliveries implements Deliveries {
  readonly #deps: DeliveriesDeps
  readonly #gate: Gate<DeliveryKind>
  readonly #deadlines: Deadlines
  readonly #apart: NodeSpread | null
  readonly #lanes = new Map<string, Lane>()
  /** attempts in progress, by the id of their delivery */
  readonly #posting = new Map<string, Promise<void>>()
  readonly #stop = new AbortController()
  readonly #unsubscribe: () => void
  #running = 0
  #isClosed = false

  constructor(deps: DeliveriesDeps) {
    const { store, clock, bootId, figures } = deps
    const report = (id: string, error: unknown): void => this.#report(id, error)
    this.#deps = deps
    this.#apart = apartFrom(store.nodes, bootId)
    this.#gate = new Gate({
      clock,
      bootId,
      report,
      kind: deliveryKind,
      rows: figures ? figures.rows.measured('delivery', rowsOf(store)) : rowsOf(store),
      count: figures?.deliveries.committed,
      isAlive: id => store.nodes.isAlive(id),
      isWorkedOn: () => true, // an attempt with an unknown commit is void when its lease expires
      maxLive: MAX_RUNNING,
      watch: deps.inspection && inspectDeliveries(deps.inspection, store, id => this.#gate.isAwake(id)),
      perform: (_post, row) => void this.#posting.set(row.id, this.#post(row)),
      noteDue: at => this.#deadlines.note(at),
      notifyRow: () => {},
    })
    this.#deadlines = new Deadlines({
      clock,
      report,
      apart: this.#apart,
      due: (at, limit) => store.deliveries.dueHosts(at, limit),
      nextAfter: at => store.deliveries.nextDueAfter(at),
      enter: host => this.#fill(host),
    })
    this.#unsubscribe = store.subscribe((_id, _change, owed = []) => {
      for (const { host } of owed) void this.#fill(host)
    }, this.#gate.forgetLive)
    void this.#start()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unsubscribe()
    this.#deadlines.close()
    const { clock } = this.#deps
    const late = clock.setTimeout(() => this.#stop.abort(), STOP_MS)
    await Promise.all([...this.#lanes.values()].flatMap(({ running }) => [...running.values()]))
    clock.clearTimeout(late)
    this.#gate.close()
  }

  /** Voids the attempts of processes that are gone, then starts the due deliveries. */
  async #start(): Promise<void> {
    const { store } = this.#deps
    try {
      for (const id of await store.deliveries.sending()) {
        const row = await store.deliveries.load(id)
        if (row === null || row.bootId === null || (await store.nodes.isAlive(row.bootId))) continue
        const lane = this.#laneOf(row.host)
        if (this.#roomIn(lane) > 0) this.#run(id, row.host, lane) // without room, it is retried when its lease expires
      }
    } catch (error) {
      this.#report('', error)
    }
    if (!this.#isClosed) this.#deadlines.start()
  }

  /** Starts the due deliveries to that host, as far as there is room. */
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
    if (this.#roomIn(lane) <= 0) return // the end of an attempt calls this again
    const most = this.#apart ? SEEN_SHARED : 2 * MAX_PER_HOST
    const due = await store.deliveries.dueOf(host, clock.now(), most)
    const waiting = due.filter(id => !lane.running.has(id))
    const mine = this.#apart?.some(waiting, this.#roomIn(lane)) ?? waiting.slice(0, this.#roomIn(lane))
    for (const id of mine) this.#run(id, host, lane)
  }

  #roomIn({ running }: Lane): number {
    return Math.min(MAX_PER_HOST - running.size, MAX_RUNNING - this.#running)
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
        // after a failure only a later deadline retries it, because a delivery that always fails at once would loop without a pause
        if (hasMoved) void this.#fill(host)
        else this.#forgetIdle(host, lane)
      })
    lane.running.set(id, work)
  }

  /** A turn for the event that is due. Either an attempt begins, or the retention of an ended delivery has elapsed.
   *  @returns true if the delivery is no longer due */
  async #attempt(id: string): Promise<boolean> {
    const { row } = await this.#gate.enter(id).finally(() => this.#posted(id))
    return row === null || row.dueAt > this.#deps.clock.now() // another node may make the attempt
  }

  /** Waits for the attempt that a turn has started, even if the turn failed afterwards. If the end of that attempt started another attempt, waits for that one too. */
  async #posted(id: string): Promise<void> {
    const posting = this.#posting.get(id)
    this.#posting.delete(id)
    await posting?.finally(() => this.#posted(id))
  }

  /** The effect of an attempt. Its outcome enters like any other event, with the number of the attempt. */
  async #post(row: DeliveryRow): Promise<void> {
    const { clock, post, notify: tell } = this.#deps
    const voided = {
      event: { type: 'attempt.voided', attempt: row.attempts },
      words: row.lastOutcome,
      trace: undefined,
    } as const
    // a process that was suspended past the lease does not post: another process may have posted meanwhile
    const { event, words, trace } = clock.now() < row.dueAt ? await post(row, this.#stop.signal) : voided
    const isStopped = this.#stop.signal.aborted && event.type === 'receiver.failed'
    const outcome = isStopped ? voided.event : event
    const ended = await this.#gate.enter(row.id, () => ({ event: outcome, written: () => ({ words }) }))
    if (ended.row && !ended.isRefused) tell(ended.row, trace)
  }

  #laneOf(host: string): Lane {
    const lane = this.#lanes.get(host) ?? new Lane()
    this.#lanes.set(host, lane)
    return lane
  }

  #forgetIdle(host: string, { running, isFilling }: Lane): void {
    if (running.size === 0 && !isFilling) this.#lanes.delete(host)
  }

  #report(id: string, error: unknown): void {
    if (!this.#isClosed) this.#deps.report(id, error)
  }
}

function rowsOf(store: Rows): RowsOf<DeliveryKind> {
  return {
    load: id => store.deliveries.load(id),
    commit: delivery => store.commit({ delivery }),
  }
}

export function createDeliveries(deps: DeliveriesDeps): Deliveries {
  return new RunningDeliveries(deps)
}

/** An operator's command: makes a delivery due now. It runs beside the server, which performs the attempt, and uses a gate of its own.
 *  @returns false if the chart refuses it, or there is no such delivery
 *  @throws the store's errors, and {UnavailableError} */
export async function replayDelivery(id: string, store: Rows, clock: Pick<Clock, 'now'>): Promise<boolean> {
  const never = Number.POSITIVE_INFINITY
  const gate = new Gate<DeliveryKind>({
    clock,
    bootId: '',
    maxLive: 1,
    rows: rowsOf(store),
    kind: { ...deliveryKind, dueAt: () => never, workerOf: () => null },
    isAlive: async () => true,
    isWorkedOn: () => true,
    perform() {},
    noteDue() {},
    notifyRow() {},
    report() {},
  })
  const { row, isRefused } = await gate.enter(id, () => ({ event: { type: 'operator.replayed' } }))
  gate.close()
  return row !== null && !isRefused
}
