/** The gate: the one place where a session changes, one turn at a time per session. A turn loads the row, lets time cause what it has caused,
 *  asks the chart, moves the actor in memory, commits with one compare-and-set, and only then speaks and acts. A copy whose commit failed, lost
 *  or is unknown is dropped before anything else happens. Nothing else writes sessions. @module */
import {
  ANSWERED_EFFECTS,
  type AnsweredEffect,
  CHART,
  type SessionChart,
  type SessionSnapshot,
} from '../machines/session.ts'
import { newSession } from '../machines/session-snapshot.ts'
import { InternalError, Unavailable } from '../protocol/errors.ts'
import { dueAt } from '../stores/due-at.ts'
import type { Inserts, SessionId, SessionRow, SessionStore } from '../stores/session-store.ts'
import { ChartFailure, canTake, eventOfTime, move, stamped, WakeFailure, wake } from './chart-steps.ts'
import type { Clock } from './clock.ts'
import { LiveSessions } from './live-sessions.ts'
import { closedWithoutChart, type Delivery, firstRow, insertsOf, rowAfter, type Written } from './rows.ts'
import type { NewSession } from './sessions.ts'

/** Of one turn: lost races, and at most three things that time alone has caused. */
const MAX_ATTEMPTS = 8
/** The longest time between two signs of whoever works on a claim. */
export const LEASE_MS = 30_000

export type GateDeps = {
  readonly store: SessionStore
  readonly clock: Clock
  readonly bootId: string
  readonly chart: SessionChart
  /** every row that is read or committed passes here */
  readonly see: (id: SessionId, row: SessionRow | null) => void
  /** whether this process means to finish that claim of its own */
  readonly isWorkedOn: (id: SessionId, claim: number) => boolean
  readonly maxLive: number
  /** starts an answered effect; its outcome enters like everything else */
  readonly perform: (effect: AnsweredEffect, row: SessionRow) => void
  readonly report: (id: SessionId, error: unknown) => void
}

/** What to deliver, seeing the committed row; null: nothing. May be called again after a lost race. */
export type DecideDelivery = (row: SessionRow) => Delivery | null

/** The row as committed, null: there is none; and whether the chart refused the event. */
export type TurnResult = { readonly row: SessionRow | null; readonly isRefused: boolean }

type Stepped =
  | { readonly type: 'committed'; readonly row: SessionRow | null }
  | { readonly type: 'refused' }
  /** a race was lost, or the row was closed: start again from the stored truth */
  | { readonly type: 'again' }

/** An event for the chart, or whatever time alone has caused. */
type Cause = Delivery | 'time'

const NOTHING: DecideDelivery = () => null

export class Gate {
  readonly #deps: GateDeps
  /** with effects that note their names */
  readonly #chart: SessionChart
  readonly #live: LiveSessions
  /** the last turn in the line of each session */
  readonly #lines = new Map<SessionId, Promise<unknown>>()
  /** sessions whose commit is on its way */
  readonly #committing = new Set<SessionId>()
  /** effects that the step in progress names; a step runs to its end without a pause */
  #named: string[] = []
  #isClosed = false

  constructor(deps: GateDeps) {
    this.#deps = deps
    const name = (effect: string) => () => void this.#named.push(effect)
    const answered = { check: name('check'), askNext: name('askNext'), sign: name('sign') }
    this.#chart = deps.chart.provide({ actions: { ...answered, oweCallback: name('oweCallback') } })
    this.#live = new LiveSessions(this.#chart, deps.clock, deps.maxLive, id => this.touch(id))
  }

  /** Whether a commit of this node on that session is on its way; whoever waits for it hears of it from the turn itself. */
  isCommitting(id: SessionId): boolean {
    return this.#committing.has(id)
  }

  /** One turn.
   *  @throws what `decide` throws, the store's errors, {InternalError} for a step that ended in an error, and {Unavailable} */
  enter(id: SessionId, decide: DecideDelivery = NOTHING): Promise<TurnResult> {
    return this.#inLine(id, () => this.#turn(id, decide))
  }

  /** A turn for what time alone has caused; failures are reported. */
  touch(id: SessionId): void {
    this.enter(id).catch(error => this.#deps.report(id, error))
  }

  /** Stores a session that is new.
   *  @throws {Error} if it exists */
  open(session: NewSession): Promise<SessionRow> {
    const { row, snapshot } = this.#first(session)
    return this.#inLine(row.id, async () => {
      if (!(await this.#deps.store.commit(row.id, 0, row))) throw new Error(`session ${row.id} exists`)
      this.#live.begin(row, snapshot)
      return row
    })
  }

  /** The row after whatever time has caused; a turn only where that is something. */
  async read(id: SessionId): Promise<SessionRow | null> {
    const row = await this.#load(id)
    return row !== null && (await this.#isOverdue(row)) ? (await this.enter(id)).row : row
  }

  close(): void {
    this.#isClosed = true
    this.#live.close()
  }

  #inLine<T>(id: SessionId, work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Unavailable('this server is closing'))
    const result = (this.#lines.get(id) ?? Promise.resolve()).then(work)
    const line = result
      .catch(() => {})
      .then(() => {
        if (this.#lines.get(id) === line) this.#lines.delete(id)
      })
    this.#lines.set(id, line)
    return result
  }

  /** Every row that is read is seen by whoever waits for it: this makes up for a notification that was lost.
   *  @throws {Unavailable} for a row of a newer chart, which is left alone (law 4) */
  async #load(id: SessionId): Promise<SessionRow | null> {
    const row = await this.#deps.store.load(id)
    if (row?.chart && row.chart > CHART)
      throw new Unavailable(`session ${id}: expected chart ${CHART}, got ${row.chart}`)
    this.#deps.see(id, row)
    return row
  }

  async #turn(id: SessionId, decide: DecideDelivery): Promise<TurnResult> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const row = await this.#load(id)
      if (row === null) return { row, isRefused: false }
      const cause = (await this.#isOverdue(row)) ? 'time' : decide(row)
      if (cause === null) return { row, isRefused: false }
      const stepped = await this.#stepOrClose(row, cause)
      if (stepped.type === 'refused') return { row, isRefused: true }
      if (stepped.type === 'committed' && cause !== 'time') return { row: stepped.row, isRefused: false }
    }
    throw new Unavailable(`session ${id}: no turn within ${MAX_ATTEMPTS} attempts`)
  }

  /** While a claim stands there is no deadline, but the claim may be void. */
  async #isOverdue(row: SessionRow): Promise<boolean> {
    const { bootId, clock, store, isWorkedOn } = this.#deps
    if (dueAt(row) <= clock.now()) return true
    if (row.claim?.bootId === bootId) return !isWorkedOn(row.id, row.claim.number)
    return row.claim !== null && !(await store.isAlive(row.claim.bootId))
  }

  async #stepOrClose(row: SessionRow, cause: Cause): Promise<Stepped> {
    if (row.chart === null) return cause === 'time' ? this.#commit(row, null, {}) : { type: 'refused' } // the end of its retention
    try {
      return await this.#step(row, cause)
    } catch (error) {
      this.#live.drop(row.id) // it may be ahead of the store, or the store ahead of it
      if (!(error instanceof ChartFailure)) throw error
      this.#deps.report(row.id, error.cause)
      if (cause !== 'time' && !(error instanceof WakeFailure)) throw new InternalError('', { cause: error })
      const { row: closed, inserts } = closedWithoutChart(row, this.#deps.clock.now())
      await this.#commit(row, closed, inserts)
      return { type: 'again' }
    }
  }

  /** Move in memory, commit, and only then speak and act.
   *  @throws {ChartFailure} */
  async #step(row: SessionRow, cause: Cause): Promise<Stepped> {
    const { bootId, clock } = this.#deps
    const now = clock.now()
    const actor = wake(() => this.#live.take(row))
    const event =
      cause === 'time' ? eventOfTime(row, actor.getSnapshot(), now) : stamped(cause.event, row, now)
    if (!canTake(actor, event)) {
      if (cause === 'time')
        throw new ChartFailure(new Error(`${event.type} is overdue, the chart refuses it`))
      this.#live.rest(actor, row)
      return { type: 'refused' }
    }
    this.#named = []
    const moved = move(actor, event)
    const effects = this.#named
    const written: Written = cause === 'time' ? {} : cause
    const after = rowAfter(row, moved, written, { bootId, leaseUntil: now + LEASE_MS, now })
    const opened = written.opens ? this.#first(written.opens) : null
    const stepped = await this.#commit(row, after, insertsOf(row, after, effects, now, opened?.row))
    if (stepped.type !== 'committed' || after === null) this.#live.drop(row.id)
    else this.#live.rest(actor, after)
    if (stepped.type === 'committed' && opened) this.#live.begin(opened.row, opened.snapshot)
    if (stepped.type === 'committed' && after) this.#act(effects, after)
    return stepped
  }

  /** A session whose life begins now. */
  #first(session: NewSession): { readonly row: SessionRow; readonly snapshot: SessionSnapshot } {
    const snapshot = newSession(this.#chart, { ...session, at: this.#deps.clock.now() })
    return { row: firstRow(session, snapshot), snapshot }
  }

  async #commit(before: SessionRow, after: SessionRow | null, inserts: Inserts): Promise<Stepped> {
    const { id, version } = before
    this.#committing.add(id)
    try {
      if (!(await this.#deps.store.commit(id, version, after, inserts))) return { type: 'again' }
    } finally {
      this.#committing.delete(id)
    }
    this.#deps.see(id, after)
    return { type: 'committed', row: after }
  }

  #act(effects: readonly string[], row: SessionRow): void {
    for (const effect of ANSWERED_EFFECTS) if (effects.includes(effect)) this.#deps.perform(effect, row)
  }
}
