/** Session statechart (spec/interface#3): states, transitions and deadlines of one session. Top-level states are the wire statuses. `CONNECTED` awaits a submission, and
 *  then works on it under one claim: check it, ask for the next session of a chain, sign the requested credentials. A session without a next session or without
 *  issuance skips that step. Pure: no I/O, clock or randomness; the time is `at` on the event. Effects are names without a body. Effects and assignments are on
 *  transitions, never on entry, so waking in a state repeats nothing. Each waiting status has its own deadline (spec/decisions#d3). While a claim is active there is no
 *  deadline: a submission that arrived in time gets an answer. @module */
import { and, assign, emit, type SnapshotFrom, setup } from 'xstate'
import { z } from 'zod'

/** On the wire, in rows and as top-level states of the chart. */
export type SessionStatus = 'INITIALIZED' | 'PAIRING' | 'CONNECTED' | 'DONE' | 'CANCELLED' | 'TIMEOUT'

/** Chart number, stored with every row. It is raised, and a migration added (machines/migrations), when a stored state could be misread. */
export const CHART = 4

/** Every event. The gate adds `at` (Unix ms), and the number of the claim to `app.submitted`. */
export type SessionEvent =
  /** the frontend chose its options */
  | { readonly type: 'frontend.chose'; readonly method: 'none' | 'pin' }
  /** first GET of the app, handled without error */
  | { readonly type: 'app.connected'; readonly protocolVersion: string }
  /** GET /request, handled without error: the status stays, but the answer is stored */
  | { readonly type: 'app.fetched' }
  /** the same by an unbound app after pairing (spec/decisions#d27): accepted once */
  | { readonly type: 'app.fetchedOnce' }
  | { readonly type: 'frontend.paired' }
  | { readonly type: 'app.submitted' }
  /** an error while handling a call of the app that the status allows (spec/decisions#d16) */
  | { readonly type: 'app.failed' }
  /** DELETE by any party */
  | { readonly type: 'cancelled' }
  /** the submission was checked; `isValid`: its proof status is `VALID`, so the next step may follow */
  | { readonly type: 'server.checked'; readonly claim: number; readonly isValid: boolean }
  /** the next session is prepared, or the requestor has none */
  | { readonly type: 'server.askedNext'; readonly claim: number }
  /** the credentials are signed */
  | { readonly type: 'server.signed'; readonly claim: number }
  /** a remote error while handling the submission (spec/decisions#d16) */
  | { readonly type: 'server.failed'; readonly claim: number }
  | { readonly type: 'claim.voided'; readonly claim: number }
  /** the node that works on the claim renews its lease */
  | { readonly type: 'claim.renewed'; readonly claim: number }

/** The event as the chart receives it. */
export type StampedEvent = { readonly at: number } & (
  | Exclude<SessionEvent, { readonly type: 'app.submitted' }>
  | { readonly type: 'app.submitted'; readonly claim: number }
  /** the chart's own event of an elapsed deadline */
  | { readonly type: `xstate.after.${string}` }
)

const stayMs = z.int().nonnegative()

/** Properties that a session is created with. */
const given = {
  /** longest stay in `INITIALIZED` */
  timeoutMs: stayMs,
  /** longest stay in `PAIRING`, and again in `CONNECTED` */
  connectedTimeoutMs: stayMs,
  /** stay in a final status (spec/decisions#d4) */
  retentionMs: stayMs,
  hasCallback: z.boolean(),
  /** a valid submission leads to the next session of a chain */
  hasNextSession: z.boolean(),
  /** a valid submission is answered with signatures */
  issues: z.boolean(),
}
const sessionInput = z.object({ ...given, at: z.int() })

/** Context of a session: small, and free of secrets. */
export const sessionFacts = z.strictObject({
  ...given,
  /** Unix ms: end of the status, or of the retention */
  deadlineAt: z.int(),
  pairing: z.enum(['none', 'pin']),
  /** as negotiated at the first GET; null before */
  protocolVersion: z.string().nullable(),
  /** the frontend has said that the user typed the correct code */
  isPaired: z.boolean(),
  /** an unbound app has fetched the session request; no later call gets it (spec/decisions#d27) */
  isFetched: z.boolean(),
  /** number of the active claim; null: none is active */
  claim: z.int().positive().nullable(),
})

export type SessionContext = Readonly<z.output<typeof sessionFacts>>
export type SessionInput = Readonly<z.output<typeof sessionInput>>

/** The effects that belong to a claim; the outcome of each is an event `server.…`. The owed effect is a row of its own, which a delivery performs. */
export const ANSWERED_EFFECTS = ['check', 'askNext', 'sign'] as const
export const OWED_EFFECTS = ['oweCallback'] as const
export type AnsweredEffect = (typeof ANSWERED_EFFECTS)[number]
export type SessionEffect = AnsweredEffect | (typeof OWED_EFFECTS)[number]

const parts = setup({
  types: {
    context: {} as SessionContext,
    events: {} as StampedEvent,
    input: {} as SessionInput,
  },
  delays: {
    // only the gate fires it; before the first event the delay is the whole stay
    untilDeadline: ({ context, event }) =>
      'at' in event ? context.deadlineAt - event.at : context.timeoutMs,
  },
  guards: {
    wantsPairing: ({ context }) => context.pairing === 'pin',
    isNotFetched: ({ context }) => !context.isFetched,
    isCurrentClaim: ({ context, event }) => 'claim' in event && event.claim === context.claim,
    isValid: ({ event }) => 'isValid' in event && event.isValid,
    hasNextSession: ({ context }) => context.hasNextSession,
    issues: ({ context }) => context.issues,
    owesCallback: ({ context }) => context.hasCallback,
  },
  actions: {
    check: emit({ type: 'check' satisfies SessionEffect }),
    askNext: emit({ type: 'askNext' satisfies SessionEffect }),
    sign: emit({ type: 'sign' satisfies SessionEffect }),
    oweCallback: emit({ type: 'oweCallback' satisfies SessionEffect }),
    notePairing: assign({
      pairing: ({ context, event }) => (event.type === 'frontend.chose' ? event.method : context.pairing),
    }),
    noteVersion: assign({
      protocolVersion: ({ context, event }) =>
        event.type === 'app.connected' ? event.protocolVersion : context.protocolVersion,
    }),
    notePaired: assign({ isPaired: true }),
    noteFetched: assign({ isFetched: true }),
    restartDeadline: assign({ deadlineAt: ({ context, event }) => event.at + context.connectedTimeoutMs }),
    startRetention: assign({ deadlineAt: ({ context, event }) => event.at + context.retentionMs }),
    beginClaim: assign({ claim: ({ event }) => ('claim' in event ? event.claim : null) }),
    endClaim: assign({ claim: null }),
  },
})

const close = ['endClaim', 'startRetention'] as const
const closeOwing = [...close, 'oweCallback'] as const
const connect = ['noteVersion', 'restartDeadline'] as const

/** Ends a session. If a callback was requested, the end owes it. */
function end<const Status extends string>(target: Status) {
  return [
    { guard: 'owesCallback', target, actions: closeOwing },
    { target, actions: close },
  ] as const
}

/** The same, if the event is an outcome of the active claim. */
function endClaimed<const Status extends string>(target: Status) {
  return [
    { guard: and(['isCurrentClaim', 'owesCallback']), target, actions: closeOwing },
    { guard: 'isCurrentClaim', target, actions: close },
  ] as const
}

const cancelled = end('#session.CANCELLED')
const timeout = { untilDeadline: end('#session.TIMEOUT') } as const
const retained = { untilDeadline: 'forgotten' } as const
const done = endClaimed('#session.DONE')
/** Transitions of every state with an active claim. */
const claimed = {
  'server.failed': endClaimed('#session.CANCELLED'),
  // the original deadline applies again: the app may submit again
  'claim.voided': { guard: 'isCurrentClaim', target: 'awaiting', actions: 'endClaim' },
} as const

/** The request may be fetched in every state of `CONNECTED`. */
function fetchedIn<State extends string>(state: State) {
  const once = { guard: 'isNotFetched', target: state, actions: 'noteFetched' } as const
  return { 'app.fetched': state, 'app.fetchedOnce': once }
}

export function firstContext(input: SessionInput): SessionContext {
  return {
    deadlineAt: input.at + input.timeoutMs,
    timeoutMs: input.timeoutMs,
    connectedTimeoutMs: input.connectedTimeoutMs,
    retentionMs: input.retentionMs,
    hasCallback: input.hasCallback,
    hasNextSession: input.hasNextSession,
    issues: input.issues,
    pairing: 'none',
    protocolVersion: null,
    isPaired: false,
    isFetched: false,
    claim: null,
  }
}

export const sessionChart = parts.createMachine({
  id: 'session',
  context: ({ input }) => firstContext(input),
  initial: 'INITIALIZED',
  states: {
    INITIALIZED: {
      after: timeout,
      on: {
        cancelled,
        'app.failed': cancelled,
        'frontend.chose': { actions: 'notePairing' },
        'app.connected': [
          { guard: 'wantsPairing', target: 'PAIRING', actions: connect },
          { target: 'CONNECTED', actions: connect },
        ],
      },
    },
    PAIRING: {
      after: timeout,
      on: {
        cancelled,
        'frontend.paired': { target: 'CONNECTED', actions: ['notePaired', 'restartDeadline'] },
      },
    },
    CONNECTED: {
      initial: 'awaiting',
      on: { cancelled },
      states: {
        awaiting: {
          after: timeout,
          on: {
            'app.failed': cancelled,
            ...fetchedIn('awaiting'),
            'app.submitted': { target: 'checking', actions: ['beginClaim', 'check'] },
          },
        },
        checking: {
          on: {
            ...claimed,
            ...fetchedIn('checking'),
            'claim.renewed': { guard: 'isCurrentClaim', target: 'checking' },
            'server.checked': [
              {
                guard: and(['isCurrentClaim', 'isValid', 'hasNextSession']),
                target: 'askingNext',
                actions: 'askNext',
              },
              { guard: and(['isCurrentClaim', 'isValid', 'issues']), target: 'signing', actions: 'sign' },
              ...done,
            ],
          },
        },
        askingNext: {
          on: {
            ...claimed,
            ...fetchedIn('askingNext'),
            'claim.renewed': { guard: 'isCurrentClaim', target: 'askingNext' },
            'server.askedNext': [
              { guard: and(['isCurrentClaim', 'issues']), target: 'signing', actions: 'sign' },
              ...done,
            ],
          },
        },
        signing: {
          on: {
            ...claimed,
            ...fetchedIn('signing'),
            'claim.renewed': { guard: 'isCurrentClaim', target: 'signing' },
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

export type SessionChart = typeof sessionChart
export type SessionSnapshot = SnapshotFrom<SessionChart>
