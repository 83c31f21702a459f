/** Session statechart (spec 3): states, transitions and deadlines of one session. Top-level states are the wire statuses; `CONNECTED` says
 *  besides what the server is doing: a submission is checked, then the next session of a chain is asked for, then what was requested is signed,
 *  each where the session has it, all under one claim. Pure: no I/O, clock or randomness; the time is `at` on the event. Effects are named and have no body;
 *  effects and assignments stand on transitions, never on entry, so that whoever wakes in a state repeats nothing. Each waiting status has a
 *  deadline of its own (D3); while a claim stands there is none, since whoever submitted in time gets an answer. @module */
import { and, assign, emit, type SnapshotFrom, setup } from 'xstate'
import { z } from 'zod'

/** On the wire, in rows and as top-level states of the chart. */
export type SessionStatus = 'INITIALIZED' | 'PAIRING' | 'CONNECTED' | 'DONE' | 'CANCELLED' | 'TIMEOUT'

/** The number of the chart, stored with every row; there is a new one, with a migration (machines/migrations), whenever a stored state could be misread. */
export const CHART = 4

/** Every event; the gate adds `at` (Unix ms), and to `app.submitted` the number of its claim. */
export type SessionEvent =
  /** the frontend chose its options */
  | { readonly type: 'frontend.chose'; readonly method: 'none' | 'pin' }
  /** first GET of the app, handled without error */
  | { readonly type: 'app.connected'; readonly protocolVersion: string }
  /** GET /request, handled without error: no change of status, but its answer is stored */
  | { readonly type: 'app.fetched' }
  /** the same by an app that nothing binds after pairing (D27): it may happen once */
  | { readonly type: 'app.fetchedOnce' }
  | { readonly type: 'frontend.paired' }
  | { readonly type: 'app.submitted' }
  /** an error while handling a call of the app that its status allows (D16) */
  | { readonly type: 'app.failed' }
  /** DELETE by anyone */
  | { readonly type: 'cancelled' }
  /** the submission was checked; valid: its proof status is `VALID`, so that there is something to go on with */
  | { readonly type: 'server.checked'; readonly claim: number; readonly isValid: boolean }
  /** the next session is prepared, or there is none after all */
  | { readonly type: 'server.askedNext'; readonly claim: number }
  /** the credentials are signed */
  | { readonly type: 'server.signed'; readonly claim: number }
  /** a remote error while handling the submission (D16) */
  | { readonly type: 'server.failed'; readonly claim: number }
  | { readonly type: 'claim.voided'; readonly claim: number }
  /** whoever works on it means to finish it: its lease begins anew */
  | { readonly type: 'claim.renewed'; readonly claim: number }

/** What reaches the chart. */
export type StampedEvent = { readonly at: number } & (
  | Exclude<SessionEvent, { readonly type: 'app.submitted' }>
  | { readonly type: 'app.submitted'; readonly claim: number }
  /** the chart's own event of a deadline that has passed */
  | { readonly type: `xstate.after.${string}` }
)

const stayMs = z.int().nonnegative()

/** What a session is created with. */
const given = {
  /** longest stay in `INITIALIZED` */
  timeoutMs: stayMs,
  /** longest stay in `PAIRING`, and again in `CONNECTED` */
  connectedTimeoutMs: stayMs,
  /** stay in a final status (D4) */
  retentionMs: stayMs,
  hasCallback: z.boolean(),
  /** a valid submission leads to the next session of a chain */
  hasNextSession: z.boolean(),
  /** a valid submission is answered with signatures */
  issues: z.boolean(),
}
const sessionInput = z.object({ ...given, at: z.int() })

/** Status facts, all of them: small, and no secret. */
export const sessionFacts = z.strictObject({
  ...given,
  /** Unix ms of the end of the status, or of its retention */
  deadlineAt: z.int(),
  pairing: z.enum(['none', 'pin']),
  /** as negotiated at the first GET; null before */
  protocolVersion: z.string().nullable(),
  /** the frontend has said that the user typed the right code */
  isPaired: z.boolean(),
  /** an app that nothing binds has the session request, so that nobody gets it any more (D27) */
  isFetched: z.boolean(),
  /** number of the claim that stands; null: none */
  claim: z.int().positive().nullable(),
})

export type SessionContext = Readonly<z.output<typeof sessionFacts>>
export type SessionInput = Readonly<z.output<typeof sessionInput>>

/** The effects that belong to a claim, and whose outcome is an event `server.…`. The owed one is a row of its own, which a delivery performs. */
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
    // nothing fires it but the gate; before the first event there is nothing but the whole stay
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

/** The end of a session, which owes a callback where one was asked for. */
function end<const Status extends string>(target: Status) {
  return [
    { guard: 'owesCallback', target, actions: closeOwing },
    { target, actions: close },
  ] as const
}

/** The same, by an outcome of the claim that stands. */
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
/** While a claim stands, whatever the server is doing. */
const claimed = {
  'server.failed': endClaimed('#session.CANCELLED'),
  // back to the original deadline: the app may submit again
  'claim.voided': { guard: 'isCurrentClaim', target: 'awaiting', actions: 'endClaim' },
} as const

/** The request may be fetched in `CONNECTED`, whatever the server is doing. */
function fetchedIn<State extends string>(state: State) {
  const once = { guard: 'isNotFetched', target: state, actions: 'noteFetched' } as const
  return { 'app.fetched': state, 'app.fetchedOnce': once }
}

/** What a session begins with. */
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
    /** its row is deleted */
    forgotten: { type: 'final' },
  },
})

export type SessionChart = typeof sessionChart
export type SessionSnapshot = SnapshotFrom<SessionChart>
