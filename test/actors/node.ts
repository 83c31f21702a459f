/** One node for tests: sessions on a store, with a clock that the test moves, and lists of its checks and reports. @module */

import { createSessions, type SessionLimits } from '../../actors/create-sessions.ts'
import type { EffectOutcome, Effects } from '../../actors/effects/effects.ts'
import type { Inspection } from '../../actors/inspection/inspection.ts'
import type { NewColumns, NewSession, Sessions, Step } from '../../actors/sessions.ts'
import type { SessionChart } from '../../machines/session.ts'
import type { SessionEvent } from '../../machines/session-events.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import { restoreRequest } from '../../protocol/request.ts'
import { restoreOutcome } from '../../sessions/result.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { SessionId, SessionRow, StoredAnswer } from '../../stores/session-store.ts'
import type { Store } from '../../stores/store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'

export const MINUTE = 60_000

export function answerOf(body: string, status = 200): StoredAnswer {
  return { status, contentType: 'application/json; charset=UTF-8', body }
}

/** The outcome of an effect that may be the last one of its claim. */
export type FinalOutcome = EffectOutcome & Required<Pick<EffectOutcome, 'columns' | 'answer'>>

export const VALID: FinalOutcome = {
  event: { type: 'server.checked', isValid: true },
  columns: { result: restoreOutcome('{"proofStatus":"VALID"}') },
  answer: answerOf('{"proofStatus":"VALID"}'),
}

/** The outcomes of the later effects, with the events of the chart. */
export const ASKED: FinalOutcome = { ...VALID, event: { type: 'server.askedNext' } }
export const SIGNED: FinalOutcome = { ...VALID, event: { type: 'server.signed' } }

/** The columns of a session. Its tokens contain its name. */
export function columnsOf(name: string): NewColumns {
  return {
    requestorTokenHash: hashOfToken(`requestor-${name}`),
    frontendTokenHash: hashOfToken(`frontend-${name}`),
    sentToken: `requestor-${name}`,
    clientToken: `client-${name}`,
    requestorToken: `requestor-${name}`,
    frontendToken: `frontend-${name}`,
    requestor: '',
    profile: 'svc',
    request: restoreRequest('{}'),
    nonce: 'AQ==',
    pairingCode: null,
    clientAuthorization: null,
    sentUpdates: null,
    result: null,
  }
}

export function newSessionOf(name: string, options: Partial<NewSession> = {}): NewSession {
  const times = { timeoutMs: 5 * MINUTE, connectedTimeoutMs: 5 * MINUTE, retentionMs: 5 * MINUTE }
  return {
    columns: columnsOf(name),
    ...times,
    hasCallback: true,
    hasNextSession: false,
    issues: false,
    ...options,
  }
}

export function idOf(name: string): SessionId {
  return hashOfToken(`client-${name}`)
}

/** Waits until all work that needs no timer is done: promises, and commits that wait for the end of a turn of the event loop. */
export async function settle(turns = 12): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise(resolve => setImmediate(resolve))
}

/** Moves the clock from timer to timer, and lets the work of each timer finish. */
export async function elapse(clock: SimulatedClock, ms: number): Promise<void> {
  await settle()
  const untilAt = clock.now() + ms
  for (let at = clock.nextTimerAt(); at !== null && at <= untilAt; at = clock.nextTimerAt()) {
    clock.advance(at - clock.now())
    await settle(4)
  }
  clock.advance(untilAt - clock.now())
  await settle()
}

export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>(open => {
    resolve = open
  })
  return { promise, resolve }
}

export type NodeOptions = {
  readonly store?: Store
  readonly clock?: SimulatedClock
  readonly bootId?: string
  readonly check?: Effects['check']
  readonly askNext?: Effects['askNext']
  readonly sign?: Effects['sign']
  readonly chart?: SessionChart
  readonly limits?: Partial<SessionLimits>
  readonly inspection?: Inspection
}

export type TestNode = {
  readonly sessions: Sessions
  readonly store: Store
  readonly clock: SimulatedClock
  /** numbers of the claims that were checked */
  readonly checked: number[]
  readonly reports: string[]
  /** a list that gets the later changes of status of a session */
  follow(name: string): string[]
  open(name?: string, options?: Partial<NewSession>): Promise<SessionRow>
  /** Delivers one event. @returns the status, or the refusal */
  turn(event: SessionEvent, name?: string): Promise<string>
  connect(name?: string): Promise<string>
  /** Submits this body; its hash is the body itself. @returns the body of the answer, or the refusal */
  submit(body?: string, name?: string): Promise<string>
  row(name?: string): Promise<SessionRow | null>
}

export function createTestNode(options: NodeOptions = {}): TestNode {
  const { store = createMemoryStore(), clock = createSimulatedClock(1_000_000), bootId = 'boot A' } = options
  const checked: number[] = []
  const reports: string[] = []
  const sessions = createSessions({
    store,
    clock,
    bootId,
    effects: {
      check: (row, signal) => {
        checked.push(row.claim?.number ?? 0)
        return options.check ? options.check(row, signal) : Promise.resolve(VALID)
      },
      askNext: options.askNext ?? (async () => ASKED),
      sign: options.sign ?? (async () => SIGNED),
    },
    report: (id, error) => reports.push(`${id}: ${error instanceof Error ? error.message : 'not an error'}`),
    ...(options.chart && { chart: options.chart }),
    ...(options.limits && { limits: options.limits }),
    inspection: options.inspection,
  })
  const callOf = async (name: string, hash: string, step: Step): Promise<string> => {
    const outcome = await sessions.call(idOf(name), hash, () => step)
    return 'answer' in outcome ? outcome.answer.body : `refused ${outcome.refused}`
  }
  const turn = async (event: SessionEvent, name = 's'): Promise<string> => {
    const outcome = await sessions.turn(idOf(name), () => ({ event }))
    return 'row' in outcome ? outcome.row.status : `refused ${outcome.refused}`
  }
  return {
    sessions,
    store,
    clock,
    checked,
    reports,
    follow(name) {
      const changes: string[] = []
      sessions.follow(idOf(name), ({ oldStatus, newStatus }) => changes.push(`${oldStatus}>${newStatus}`))
      return changes
    },
    open: (name = 's', session) => sessions.open(newSessionOf(name, session)),
    turn,
    connect: name => turn({ type: 'app.connected', protocolVersion: '2.8' }, name),
    submit: (body = 'proof', name = 's') =>
      callOf(name, body, { event: { type: 'app.submitted' }, claimedBody: body }),
    row: (name = 's') => store.sessions.load(idOf(name)),
  }
}

export async function connectedNode(
  options: NodeOptions = {},
  session: Partial<NewSession> = {},
): Promise<TestNode> {
  const node = createTestNode(options)
  await node.open('s', session)
  await node.connect()
  return node
}
