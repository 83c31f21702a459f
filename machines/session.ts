/** Session statechart (spec/interface#3): states, transitions and deadlines of one session. Top-level states are the wire statuses. `CONNECTED` awaits a submission, and
 *  then works on it under one claim: check it, ask for the next session of a chain, sign the requested credentials. A session without a next session or without
 *  issuance skips that step. Pure: no I/O, clock or randomness; the time is `at` on the event. Effects are names without a body. Effects and assignments are on
 *  transitions, never on entry, so waking in a state repeats nothing. Each waiting status has its own deadline (spec/decisions#d3). While a claim is active its lease
 *  counts in place of the deadline: a submission that arrived in time gets an answer. An actor that runs by itself raises its own timer events, on the clock of its
 *  actor system. In a server that clock stands still, and the gate sends these events (timers.ts). @module */
import { assign, emit, type SnapshotFrom, setup } from 'xstate'
import type { StampedEvent } from './session-events.ts'
import {
  type Checked,
  type Claimed,
  firstContext,
  isCurrent,
  type SessionContext,
  type SessionInput,
  type Timed,
} from './session-facts.ts'
import { type Ends, timeOf } from './timers.ts'

export type { SessionContext, SessionInput }

/** On the wire, in rows and as top-level states of the chart. */
export type SessionStatus = 'INITIALIZED' | 'PAIRING' | 'CONNECTED' | 'DONE' | 'CANCELLED' | 'TIMEOUT'

/** Chart number, stored with every row. It is raised, and a migration added (machines/migrations), when a stored state could be misread. */
export const CHART = 4

/** The effects that belong to a claim; the outcome of each is an event `server.…`. The owed effect inserts a row of a delivery, which posts the callback. */
export const ANSWERED_EFFECTS = ['check', 'askNext', 'sign'] as const
export const OWED_EFFECTS = ['oweCallback'] as const
export type AnsweredEffect = (typeof ANSWERED_EFFECTS)[number]
export type SessionEffect = AnsweredEffect | (typeof OWED_EFFECTS)[number]

/** The lease of a claim: without a step or a renewal for this long, the claim expires. */
export const LEASE_MS = 30_000

const parts = setup({
  types: {
    context: {} as SessionContext,
    events: {} as StampedEvent,
    input: {} as SessionInput,
  },
  delays: {
    timeout: ({ context }) => context.timeoutMs,
    // after a claim: the remaining time. An event without `at` is a timer of XState itself; the only one that leads to a state with this delay is the end of a
    // lease, so its time is `leaseUntil`
    connectedTimeout: ({ context, event }) => context.deadlineAt - timeOf(event, context.leaseUntil),
    lease: LEASE_MS,
    retention: ({ context }) => context.retentionMs,
  },
  guards: {
    wantsPairing: ({ context }) => context.pairing === 'pin',
    isNotFetched: ({ context }) => !context.isFetched,
    owesCallback: ({ context }) => context.hasCallback,
    isCurrentClaim: ({ context }, claimed: Claimed) => isCurrent(context, claimed),
    isCurrentOwing: ({ context }, claimed: Claimed) => isCurrent(context, claimed) && context.hasCallback,
    leadsToNext: ({ context }, checked: Checked) =>
      isCurrent(context, checked) && checked.isValid && context.hasNextSession,
    leadsToSigning: ({ context }, checked: Checked) =>
      isCurrent(context, checked) && checked.isValid && context.issues,
  },
  actions: {
    check: emit({ type: 'check' satisfies SessionEffect }),
    askNext: emit({ type: 'askNext' satisfies SessionEffect }),
    sign: emit({ type: 'sign' satisfies SessionEffect }),
    oweCallback: emit({ type: 'oweCallback' satisfies SessionEffect }),
    notePairing: assign({ pairing: (_, { method }: { readonly method: 'none' | 'pin' }) => method }),
    noteVersion: assign({ protocolVersion: (_, { version }: { readonly version: string }) => version }),
    notePaired: assign({ isPaired: true }),
    noteFetched: assign({ isFetched: true }),
    restartDeadline: assign({ deadlineAt: ({ context }, { at }: Timed) => at + context.connectedTimeoutMs }),
    startRetention: assign({ deadlineAt: ({ context }, { at }: Timed) => at + context.retentionMs }),
    beginClaim: assign({ claim: (_, { claim }: Claimed) => claim }),
    renewLease: assign({ leaseUntil: (_, { at }: Timed) => at + LEASE_MS }),
    endClaim: assign({ claim: null }),
  },
})

/** Parameters of guards and actions, read from the event of their transition, or from the context where time is the cause. */
const stamp = ({ event }: { readonly event: Timed }): Timed => ({ at: event.at })
const deadline = ({ context }: { readonly context: SessionContext }): Timed => ({ at: context.deadlineAt })
const claimOf = ({ event }: { readonly event: Claimed }): Claimed => ({ claim: event.claim })
const checkOf = ({ event }: { readonly event: Checked }): Checked => ({
  claim: event.claim,
  isValid: event.isValid,
})
/** A submission whose next session was requested is valid. */
const validOf = ({ event }: { readonly event: Claimed }): Checked => ({ claim: event.claim, isValid: true })

const restartDeadline = { type: 'restartDeadline', params: stamp } as const
const renewLease = { type: 'renewLease', params: stamp } as const
const isCurrentClaim = { type: 'isCurrentClaim', params: claimOf } as const
const connect = [{ type: 'noteVersion', params: versionOf }, restartDeadline] as const

function versionOf({ event }: { readonly event: { readonly protocolVersion: string } }) {
  return { version: event.protocolVersion }
}

/** Ends a session. If a callback was requested, the same step creates its delivery.
 *  @param at the time of the end */
function end<const Status extends string, Params>(target: Status, at: Params) {
  const close = ['endClaim', { type: 'startRetention', params: at }] as const
  return [
    { guard: 'owesCallback', target, actions: [...close, 'oweCallback'] },
    { target, actions: close },
  ] as const
}

/** The same, if the event is an outcome of the active claim. */
function endClaimed<const Status extends string>(target: Status) {
  const close = ['endClaim', { type: 'startRetention', params: stamp }] as const
  return [
    {
      guard: { type: 'isCurrentOwing', params: claimOf },
      target,
      actions: [...close, 'oweCallback'],
    },
    { guard: isCurrentClaim, target, actions: close },
  ] as const
}

const cancelled = end('#session.CANCELLED', stamp)
const timeout = end('#session.TIMEOUT', deadline)
const retained = { retention: 'forgotten' } as const
const done = endClaimed('#session.DONE')
/** Without a renewal the claim ends. The original deadline applies again: the app may submit again. */
const leased = { lease: { target: 'awaiting', actions: 'endClaim' } } as const
/** Transitions of every state with an active claim. */
const claimed = {
  'server.failed': endClaimed('#session.CANCELLED'),
  'claim.voided': { guard: isCurrentClaim, target: 'awaiting', actions: 'endClaim' },
} as const

/** A renewed claim stays in its state, where its lease starts again. */
function renewedIn<const State extends string>(target: State) {
  return { guard: isCurrentClaim, target, reenter: true, actions: renewLease } as const
}

/** The request may be fetched in every state of `CONNECTED`. */
function fetchedIn<State extends string>(state: State) {
  const once = { guard: 'isNotFetched', target: state, actions: 'noteFetched' } as const
  return { 'app.fetched': state, 'app.fetchedOnce': once }
}

export const sessionChart = parts.createMachine({
  id: 'session',
  context: ({ input }) => firstContext(input),
  initial: 'INITIALIZED',
  states: {
    INITIALIZED: {
      after: { timeout },
      on: {
        cancelled,
        'app.failed': cancelled,
        'frontend.chose': {
          actions: { type: 'notePairing', params: ({ event }) => ({ method: event.method }) },
        },
        'app.connected': [
          { guard: 'wantsPairing', target: 'PAIRING', actions: connect },
          { target: 'CONNECTED', actions: connect },
        ],
      },
    },
    PAIRING: {
      after: { connectedTimeout: timeout },
      on: {
        cancelled,
        'frontend.paired': { target: 'CONNECTED', actions: ['notePaired', restartDeadline] },
      },
    },
    CONNECTED: {
      initial: 'awaiting',
      on: { cancelled },
      states: {
        awaiting: {
          after: { connectedTimeout: timeout },
          on: {
            'app.failed': cancelled,
            ...fetchedIn('awaiting'),
            'app.submitted': {
              target: 'checking',
              actions: [{ type: 'beginClaim', params: claimOf }, renewLease, 'check'],
            },
          },
        },
        checking: {
          after: leased,
          on: {
            ...claimed,
            ...fetchedIn('checking'),
            'claim.renewed': renewedIn('checking'),
            'server.checked': [
              {
                guard: { type: 'leadsToNext', params: checkOf },
                target: 'askingNext',
                actions: [renewLease, 'askNext'],
              },
              {
                guard: { type: 'leadsToSigning', params: checkOf },
                target: 'signing',
                actions: [renewLease, 'sign'],
              },
              ...done,
            ],
          },
        },
        askingNext: {
          after: leased,
          on: {
            ...claimed,
            ...fetchedIn('askingNext'),
            'claim.renewed': renewedIn('askingNext'),
            'server.askedNext': [
              {
                guard: { type: 'leadsToSigning', params: validOf },
                target: 'signing',
                actions: [renewLease, 'sign'],
              },
              ...done,
            ],
          },
        },
        signing: {
          after: leased,
          on: {
            ...claimed,
            ...fetchedIn('signing'),
            'claim.renewed': renewedIn('signing'),
            'server.signed': done,
          },
        },
      },
    },
    DONE: { after: retained },
    TIMEOUT: { after: retained },
    CANCELLED: { after: retained },
    /** the row is deleted */
    forgotten: { type: 'final' },
  },
})

/** Unix ms at which each delay of the chart elapses. */
export const SESSION_ENDS: Ends<SessionContext> = {
  timeout: ({ deadlineAt }) => deadlineAt,
  connectedTimeout: ({ deadlineAt }) => deadlineAt,
  lease: ({ leaseUntil }) => leaseUntil,
  retention: ({ deadlineAt }) => deadlineAt,
}

export type SessionChart = typeof sessionChart
export type SessionSnapshot = SnapshotFrom<SessionChart>
