/** The gate: the only place where an actor's row changes, one turn at a time per row, for any kind of actor. A turn loads the row, applies the events that time
 *  has caused, asks the chart, and moves the actor in memory. It then commits with one compare-and-set, and only after that notifies and starts effects. An
 *  in-memory copy is dropped at once if its commit failed, lost the race or has an unknown outcome. No other code writes such rows. @module */
import type { Clock } from '../ports/clock.ts'
import { InternalError, UnavailableError } from '../protocol/errors.ts'
import type { Watch } from './inspection/watch.ts'
import { KeyedQueue } from './keyed-queue.ts'
import type {
  AcceptsEvent,
  CountCommit,
  DecideStep,
  Kind,
  KindTypes,
  RowsOf,
  Step,
  StepOutcome,
  TurnResult,
} from './kind.ts'
import { LiveActors } from './live-actors.ts'
import { ChartError, move, onceEach, WakeError } from './move.ts'

/** The most attempts of one turn: they cover lost races, and the few events that time alone has caused. */
const MAX_ATTEMPTS = 8

export type GateDeps<T extends KindTypes> = {
  readonly kind: Kind<T>
  readonly rows: RowsOf<T>
  readonly clock: Pick<Clock, 'now'>
  readonly bootId: string
  readonly isAlive: (bootId: string) => Promise<boolean>
  /** true if this process, which the row names as its worker, is still working on the row */
  readonly isWorkedOn: (row: T['row']) => boolean
  readonly maxLive: number
  /** starts an effect; its outcome enters like any other event */
  readonly perform: (effect: T['effect'], row: T['row']) => void
  /** receives the due time of every committed row; Unix ms */
  readonly noteDue: (at: number) => void
  /** receives every row that this node reads or commits */
  readonly notifyRow: (id: string, row: T['row'] | null) => void
  readonly report: (id: string, error: unknown) => void
  /** the view of the actors for inspectors; left out: no inspection */
  readonly watch?: Watch<T> | undefined
  /** receives the commits */
  readonly count?: CountCommit<T> | undefined
}

/** The outcome of an attempt. `again`: a race was lost, time has moved the row, or the row was closed. The next attempt starts from the stored row. */
type Attempt<T extends KindTypes> = TurnResult<T> | 'again'

export class Gate<T extends KindTypes> {
  readonly #deps: GateDeps<T>
  readonly #live: LiveActors<T>
  /** one turn at a time per row */
  readonly #lines = new KeyedQueue()
  /** rows whose commit is in progress */
  readonly #committing = new Set<string>()
  #isClosed = false

  constructor(deps: GateDeps<T>) {
    this.#deps = deps
    this.#live = new LiveActors(deps.kind, deps.maxLive)
  }

  /** True while a commit of this node is in progress. The turn itself notifies the callers that wait for that row. */
  isCommitting(id: string): boolean {
    return this.#committing.has(id)
  }

  /** One turn.
   *  @param decide left out: the turn is for the events that time alone has caused
   *  @throws the errors of `decide` and of the store, {InternalError} for a step that ended in an error, and {UnavailableError} */
  enter(id: string, decide: DecideStep<T> = () => null): Promise<TurnResult<T>> {
    return this.#inLine(id, () => this.#turn(id, decide))
  }

  /** Stores a new row: the first snapshot of its actor. As for every row at rest, the actor is spawned by its first event.
   *  @throws {Error} if the row exists */
  open(row: T['row'], inserts: T['inserts']): Promise<T['row']> {
    return this.#inLine(row.id, async () => {
      const { kind, rows, noteDue, watch, count } = this.#deps
      if (!(await rows.commit({ id: row.id, version: 0, row }, inserts)))
        throw new Error(`${kind.name} ${row.id} exists`)
      noteDue(kind.dueAt(row))
      count?.(null, row, inserts)
      watch?.changed(row.id, row, inserts)
      return row
    })
  }

  /** The row, including the events that time has caused. A turn is taken only if there are any. */
  async read(id: string): Promise<T['row'] | null> {
    const row = await this.#load(id)
    return row !== null && (await this.#isOverdue(row)) ? (await this.enter(id)).row : row
  }

  /** True if the chart accepts the event in the state of this row. May be called outside the row's turn.
   *  @returns false also for a row that the chart cannot read */
  can(row: T['row'], event: T['event']): boolean {
    const { kind, clock } = this.#deps
    const stamped = kind.stamped(event, row, clock.now())
    try {
      return this.#live.snapshotOf(row).can(stamped)
    } catch {
      return false // the following turn reports it
    }
  }

  /** True if the actor of the row is in memory, at rest. */
  isAwake(id: string): boolean {
    return this.#live.has(id)
  }

  /** For a store that may have gone back to earlier versions of rows, which then change differently: no live actor is used for a row any more. */
  readonly forgetLive = (): void => this.#live.forgetAll()

  close(): void {
    this.#isClosed = true
    this.#live.close()
  }

  #inLine<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new UnavailableError('this server is closing'))
    return this.#lines.run(id, work)
  }

  /** Every row that is read is passed to `notifyRow`. This compensates for lost notifications.
   *  @throws {UnavailableError} for a row of a newer chart, which is not touched (spec/laws#4) */
  async #load(id: string): Promise<T['row'] | null> {
    const { kind, rows, notifyRow } = this.#deps
    const row = await rows.load(id)
    if (row?.chart && row.chart > kind.number)
      throw new UnavailableError(`${kind.name} ${id}: expected chart ${kind.number}, got ${row.chart}`)
    notifyRow(id, row)
    return row
  }

  async #turn(id: string, decide: DecideStep<T>): Promise<TurnResult<T>> {
    const moved = await this.#turnOnRecent(id, decide)
    if (moved !== null) return moved
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const row = await this.#load(id)
      if (row === null) return { row, isRefused: false }
      const isOverdue = await this.#isOverdue(row)
      const attempted = await (row.chart === null
        ? this.#turnWithoutChart(row, isOverdue, decide)
        : this.#moveOrClose(row, isOverdue ? 'time' : decide))
      if (attempted !== 'again') return attempted
    }
    throw new UnavailableError(`${this.#deps.kind.name} ${id}: no turn within ${MAX_ATTEMPTS} attempts`)
  }

  /** Tries the turn on the row that this node knows, without reading it: the commit compares its version. Any other outcome (a refusal, an answer, an error)
   *  may come from an outdated row, so the turn is then made on the stored row.
   *  @returns null: nothing was committed */
  async #turnOnRecent(id: string, decide: DecideStep<T>): Promise<TurnResult<T> | null> {
    const { kind, rows, clock, bootId } = this.#deps
    const row = rows.recent?.(id) ?? null
    const worker = row && kind.workerOf(row)
    if (row === null || row.chart !== kind.number || (worker !== null && worker !== bootId)) return null
    if (await this.#isOverdue(row)) return null
    const now = clock.now()
    const step = this.#stepOn(row, now, decide)
    if (step === null) return null
    try {
      const after = await this.#step(row, kind.stamped(step.event, row, now), now, step.written)
      return after === 'lost' ? null : { row: after, isRefused: false }
    } catch (error) {
      if (error instanceof ChartError) return null
      throw error
    }
  }

  /** @returns null if there is nothing to do, the event is refused, or the step failed; the turn on the stored row decides then */
  #stepOn(row: T['row'], now: number, decide: DecideStep<T>): Step<T> | null {
    const { kind } = this.#deps
    const can: AcceptsEvent<T> = onceEach(event => this.#canTake(row, kind.stamped(event, row, now)))
    try {
      const step = decide(row, can)
      return step !== null && can(step.event) ? step : null
    } catch {
      return null
    }
  }

  async #isOverdue(row: T['row']): Promise<boolean> {
    const { kind, clock, bootId, isAlive, isWorkedOn } = this.#deps
    if (kind.dueAt(row) <= clock.now()) return true
    const worker = kind.workerOf(row)
    if (worker === bootId) return !isWorkedOn(row)
    return worker !== null && !(await isAlive(worker))
  }

  /** The turn of a closed row. Its only event is the end of its retention, which deletes it. */
  async #turnWithoutChart(row: T['row'], isOverdue: boolean, decide: DecideStep<T>): Promise<Attempt<T>> {
    if (!isOverdue) return { row, isRefused: decide(row, () => false) !== null }
    if (await this.#commit(row, null, {})) this.#deps.watch?.changed(row.id, null, {})
    return 'again'
  }

  async #moveOrClose(row: T['row'], cause: DecideStep<T> | 'time'): Promise<Attempt<T>> {
    try {
      return await (cause === 'time' ? this.#moveByTime(row) : this.#moveBy(cause, row))
    } catch (error) {
      if (!(error instanceof ChartError)) throw error
      this.#live.drop(row.id)
      this.#deps.report(row.id, error.cause)
      if (cause !== 'time' && !(error instanceof WakeError)) throw new InternalError('', { cause: error })
      const { kind, clock, watch } = this.#deps
      const { row: closed, inserts } = kind.closed(row, clock.now())
      if (await this.#commit(row, closed, inserts)) watch?.changed(row.id, closed, inserts)
      return 'again'
    }
  }

  /** @throws {ChartError} */
  async #moveByTime(row: T['row']): Promise<'again'> {
    const { kind, clock } = this.#deps
    const now = clock.now()
    const event = this.#ask(row, snapshot => kind.timeEvent(row, snapshot, now))
    if (!this.#canTake(row, event))
      throw new ChartError(new Error(`${event.type} is overdue, the chart refuses it`))
    await this.#step(row, event, now)
    return 'again'
  }

  /** @throws {ChartError} */
  async #moveBy(decide: DecideStep<T>, row: T['row']): Promise<Attempt<T>> {
    const { kind, clock } = this.#deps
    const now = clock.now()
    const can: AcceptsEvent<T> = onceEach(event => this.#canTake(row, kind.stamped(event, row, now)))
    const step = decide(row, can)
    if (step === null) return { row, isRefused: false }
    if (!can(step.event)) return { row, isRefused: true } // XState drops a forbidden event silently
    const after = await this.#step(row, kind.stamped(step.event, row, now), now, step.written)
    return after === 'lost' ? 'again' : { row: after, isRefused: false }
  }

  /** Moves in memory, commits, and only then notifies and starts effects.
   *  @returns the row as committed; null: it was deleted
   *  @throws {ChartError} */
  async #step(
    row: T['row'],
    event: T['stamped'],
    now: number,
    written: Step<T>['written'] = () => ({}),
  ): Promise<T['row'] | null | 'lost'> {
    const { kind, bootId, perform, watch } = this.#deps
    const actor = this.#live.take(row)
    try {
      const isWatched = watch?.isOn(row.id) ?? false
      const { snapshot, named, taken } = move(actor, event, isWatched)
      const asked = kind.effects.filter(effect => named.includes(effect))
      const stepped: StepOutcome<T> = { snapshot, named, written: written(asked) }
      const after = kind.rowAfter(row, stepped, { bootId, now })
      const inserts = kind.insertsOf(row, after, stepped, now)
      const isCommitted = await this.#commit(row, after, inserts)
      const isAwake = isCommitted && after !== null && !kind.isOver(after)
      if (isAwake) this.#live.rest(actor, after)
      else this.#live.drop(row.id)
      if (!isCommitted) return 'lost'
      if (isWatched) watch?.stepped({ event, taken, before: row, after, isAwake, inserts })
      else watch?.changed(row.id, after, inserts) // a viewer that came during the commit has seen the row before it
      if (after) for (const effect of asked) perform(effect, after)
      return after
    } catch (error) {
      this.#live.drop(row.id) // copy and store may differ
      throw error
    }
  }

  /** @throws {ChartError} */
  #canTake(row: T['row'], event: T['stamped']): boolean {
    return this.#ask(row, snapshot => snapshot.can(event))
  }

  /** @throws {ChartError} */
  #ask<Answer>(row: T['row'], question: (snapshot: T['snapshot']) => Answer): Answer {
    const snapshot = this.#live.snapshotInTurn(row)
    try {
      return question(snapshot)
    } catch (error) {
      throw new ChartError(error)
    }
  }

  async #commit(before: T['row'], after: T['row'] | null, inserts: T['inserts']): Promise<boolean> {
    const { kind, rows, noteDue, notifyRow, count } = this.#deps
    const { id, version } = before
    this.#committing.add(id)
    try {
      if (!(await rows.commit({ id, version, row: after }, inserts))) return false
    } finally {
      this.#committing.delete(id)
    }
    if (after) noteDue(kind.dueAt(after))
    notifyRow(id, after)
    count?.(before, after, inserts)
    return true
  }
}
