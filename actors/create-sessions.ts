/** Combines gate, waiters, watchers, deadlines and effects into the one interface that the other folders use. @module */
import { type AnsweredEffect, CHART, type SessionChart } from '../machines/session.ts'
import type { SessionEvent } from '../machines/session-events.ts'
import type { Clock } from '../ports/clock.ts'
import { OverloadedError } from '../protocol/errors.ts'
import { REPLAY_MS } from '../sessions/stored-answer.ts'
import type { SessionId, SessionRow } from '../stores/session-store.ts'
import type { Inserts, SessionServerStore } from '../stores/store.ts'
import { hashOfToken } from '../stores/token-hash.ts'
import { BodyBytes, MOST_BODY_BYTES } from './calls/body-bytes.ts'
import { replayOf } from './calls/replay.ts'
import { type CallOutcome, Waiters } from './calls/waiters.ts'
import { apartFrom, Deadlines } from './deadlines.ts'
import type { OwedBound } from './deliveries/owed-bound.ts'
import { Claims } from './effects/claims.ts'
import type { Effects } from './effects/effects.ts'
import { RowRereader } from './following/row-rereader.ts'
import { Gate } from './gate.ts'
import type { Inspection } from './inspection/inspection.ts'
import { inspectSessions } from './inspection/sources.ts'
import type { RowsOf } from './kind.ts'
import { firstRow, type SessionKind, sessionKind } from './kinds/session.ts'
import type { Figures } from './metrics/figures.ts'
import { type RowListener, SessionFollowers, type StatusListener } from './session-followers.ts'
import type { Decide, NewSession, RefusedStep, Sessions } from './sessions.ts'

/** A request beyond one of these limits gets 503, and nothing is lost (spec/laws#5). */
export type SessionLimits = {
  /** live actors of this node; all other sessions are only rows */
  readonly maxLive: number
  /** calls that wait for the outcome of a submission, on this node */
  readonly maxWaiting: number
  /** stored sessions, finished ones included */
  readonly maxSessions: number
  /** bytes of bodies that are being read or waiting, on this node */
  readonly maxBodyBytes: number
}

const DEFAULT_LIMITS: SessionLimits = {
  maxLive: 10_000,
  maxWaiting: 10_000,
  maxSessions: 1_000_000,
  maxBodyBytes: MOST_BODY_BYTES,
}

export type SessionsDeps = {
  readonly store: SessionServerStore
  readonly clock: Clock
  /** names this process in claims; random, new at each start, and equal to the one that the store was opened with */
  readonly bootId: string
  readonly effects: Effects
  /** receives failures, for a log; the id is a hash */
  readonly report: (id: SessionId, error: unknown) => void
  readonly limits?: Partial<SessionLimits>
  /** bound of owed callbacks; left out: unbounded */
  readonly owedBound?: Pick<OwedBound, 'requireRoom'> | undefined
  /** the view of the actors for inspectors; left out: no inspection */
  readonly inspection?: Inspection | undefined
  /** figures to count; left out: none */
  readonly figures?: Pick<Figures, 'sessions' | 'rows'> | undefined
  /** called after each commit of this node that creates a session or changes its status; must not throw */
  readonly noteStatus?: ((row: SessionRow) => void) | undefined
  /** another chart, for tests of failing charts */
  readonly chart?: SessionChart
}

class RunningSessions implements Sessions {
  readonly #deps: SessionsDeps
  readonly #limits: SessionLimits
  readonly #gate: Gate<SessionKind>
  readonly #waiters: Waiters
  readonly #bodies: BodyBytes
  readonly #claims: Claims
  readonly #watchers: SessionFollowers
  readonly #deadlines: Deadlines
  readonly #rereading: RowRereader
  readonly #unsubscribe: () => void
  /** effects in progress */
  readonly #work = new Set<Promise<void>>()
  #isClosed = false

  constructor(deps: SessionsDeps) {
    const { store, clock, bootId, effects, figures } = deps
    const report = (id: SessionId, error: unknown): void => this.#report(id, error)
    this.#deps = deps
    this.#limits = { ...DEFAULT_LIMITS, ...deps.limits }
    this.#waiters = new Waiters(clock, this.#limits.maxWaiting)
    this.#watchers = new SessionFollowers(report)
    const enter: Gate<SessionKind>['enter'] = (id, decide) => this.#gate.enter(id, decide)
    this.#bodies = new BodyBytes(this.#limits.maxBodyBytes)
    this.#claims = new Claims({
      clock,
      effects,
      enter,
      report,
      bodies: this.#bodies,
      ended: figures?.sessions.claimed,
    })
    this.#gate = this.#createGate(report)
    this.#deadlines = new Deadlines({
      clock,
      report,
      apart: apartFrom(store.nodes, bootId),
      due: (at, limit) => store.sessions.due(at, CHART, limit),
      nextAfter: at => store.sessions.nextDueAfter(at, CHART),
      enter: id => this.#gate.enter(id),
      tidy: now => store.sessions.dropAnswers(now - REPLAY_MS),
    })
    this.#rereading = new RowRereader({
      clock,
      report,
      read: id => this.#gate.read(id),
      isWanted: id => this.#watchers.isFollowed(id) || this.#waiters.isWaitedFor(id) || this.#claims.has(id),
    })
    this.#unsubscribe = store.subscribe(
      (id, change) => {
        if (change) this.#watchers.notify(change)
        if (this.#waiters.isWaitedFor(id) && !this.#gate.isCommitting(id)) this.#reread(id)
      },
      () => this.#missed(),
    )
    this.#deadlines.start()
  }

  #createGate(report: (id: SessionId, error: unknown) => void): Gate<SessionKind> {
    const { store, clock, bootId, chart, figures, noteStatus, inspection } = this.#deps
    return new Gate<SessionKind>({
      clock,
      bootId,
      report,
      kind: sessionKind(chart),
      rows: figures ? figures.rows.measured('session', rowsOf(store)) : rowsOf(store),
      count: (before, after, inserts) => {
        figures?.sessions.committed(before, after, inserts)
        if (noteStatus) for (const row of newStatuses(before, after, inserts)) noteStatus(row)
      },
      isAlive: id => store.nodes.isAlive(id),
      maxLive: this.#limits.maxLive,
      watch: inspection && inspectSessions(inspection, store, id => this.#gate.isAwake(id)),
      perform: (effect, row) => this.#begin(effect, row),
      isWorkedOn: row => this.#claims.isWorkedOn(row),
      noteDue: at => this.#deadlines.note(at),
      notifyRow: (id, row) => {
        this.#claims.notifyRow(id, row)
        this.#waiters.notifyRow(id, row)
        this.#watchers.notifyRow(id, row)
      },
    })
  }

  async requireRoom(): Promise<void> {
    if ((await this.#deps.store.sessions.count()) >= this.#limits.maxSessions)
      throw new OverloadedError('too many sessions')
  }

  async open(session: NewSession): Promise<SessionRow> {
    await Promise.all([this.requireRoom(), this.#deps.owedBound?.requireRoom(session)])
    return this.#gate.open(firstRow(session, this.#deps.clock.now()), {})
  }

  read(id: SessionId): Promise<SessionRow | null> {
    return this.#gate.read(id)
  }

  can(row: SessionRow, event: SessionEvent): boolean {
    return this.#gate.can(row, event)
  }

  findByClientToken(token: string): Promise<SessionRow | null> {
    return this.read(hashOfToken(token))
  }

  knownByClientToken(token: string): SessionRow | null {
    return this.#deps.store.sessions.recent?.(hashOfToken(token)) ?? null
  }

  async findByRequestorToken(token: string): Promise<SessionRow | null> {
    const id = await this.#deps.store.sessions.findByRequestorToken(token)
    return id === null ? null : this.read(id)
  }

  async turn(id: SessionId, decide: Decide): Promise<{ readonly row: SessionRow } | RefusedStep> {
    const { row, isRefused } = await this.#gate.enter(id, (row, can) => {
      const step = decide(row, can)
      return step && { event: step.event, written: () => step }
    })
    if (row === null) return { refused: 'unknown' }
    return isRefused ? { refused: row.status } : { row }
  }

  async call(id: SessionId, hash: string, decide: Decide): Promise<CallOutcome> {
    const { row, isRefused } = await this.#gate.enter(id, (row, can) => {
      if (row.claim?.callHash === hash || replayOf(row, hash, this.#deps.clock.now())) return null
      const step = decide(row, can)
      if (step?.event.type === 'app.submitted')
        this.#waiters.assertRoom() // otherwise no call could wait for its claim
      else if (!step?.answer) throw new TypeError('a handled call of the app: expected an answer, got none')
      return { event: step.event, written: () => ({ ...step, callHash: hash }) }
    })
    if (row === null) return { refused: 'unknown' }
    if (isRefused) return { refused: row.status }
    if (row.claim?.callHash === hash)
      return this.#waiters.wait({ id, hash, number: row.claim.number }, () => this.#reread(id), {
        isSeen: this.#claims.isWorkedOn(row),
      })
    return row.answered ? { answer: row.answered.answer } : { refused: row.status }
  }

  follow(id: SessionId, notify: StatusListener, notifyRow?: RowListener): () => void {
    return this.#watchers.follow(id, notify, notifyRow)
  }

  reserveBody(bytes: number): () => void {
    return this.#bodies.reserve(bytes)
  }

  async finishClaims(limit: Promise<unknown>): Promise<void> {
    let isOver = false
    const over = limit.then(() => {
      isOver = true
    })
    // a step of a claim starts the next one before it ends
    while (this.#work.size > 0 && !isOver) await Promise.race([Promise.all(this.#work), over])
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unsubscribe()
    this.#rereading.close()
    this.#deadlines.close()
    this.#gate.close()
    this.#claims.close()
    this.#waiters.close()
  }

  #begin(effect: AnsweredEffect, row: SessionRow): void {
    const work = this.#claims.perform(effect, row).finally(() => this.#work.delete(work))
    this.#work.add(work)
  }

  /** Commits may have been missed. If the store was replaced, commits may also have been lost. */
  #missed(): void {
    this.#gate.forgetLive()
    this.#rereading.add([...this.#claims.doubtAll(), ...this.#watchers.ids(), ...this.#waiters.ids()])
  }

  #reread(id: SessionId): void {
    this.#gate.read(id).catch(error => this.#report(id, error))
  }

  #report(id: SessionId, error: unknown): void {
    if (!this.#isClosed) this.#deps.report(id, error)
  }
}

function rowsOf(store: Pick<SessionServerStore, 'sessions' | 'commit'>): RowsOf<SessionKind> {
  return {
    load: id => store.sessions.load(id),
    recent: id => store.sessions.recent?.(id) ?? null,
    commit: (session, inserts) => store.commit({ session, inserts }),
  }
}

/** @returns the sessions that the commit created or moved to another status */
function newStatuses(
  before: SessionRow | null,
  after: SessionRow | null,
  { sessions = [] }: Inserts,
): readonly SessionRow[] {
  return after !== null && after.status !== before?.status ? [after, ...sessions] : sessions
}

export function createSessions(deps: SessionsDeps): Sessions {
  return new RunningSessions(deps)
}
