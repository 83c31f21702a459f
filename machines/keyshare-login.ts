/** Keyshare login statechart (spec/interface#4.5, #4.6, #5.4): the events that the keyshare server accepts for one account. The protocol names the account and not a
 *  login, so there is one actor per account. Its attempts at the PIN, its challenge and its commitment are parallel regions. An event says what was checked before:
 *  the token, the device signature, the challenge. Only this chart decides whether the event is allowed now. Pure: no I/O, clock, randomness or secret; the
 *  time is `at` on the event. Effects are names without a body: each is something that the commit of the step writes. The end of a block is no event: the chart
 *  compares the time of an attempt with it. A valid token is no state: the caller checks it. @module */
import { assign, emit, type SnapshotFrom, setup } from 'xstate'
import type { StampedLoginEvent } from './login-events.ts'
import {
  type Answer,
  type Attempt,
  isAnswer,
  isCompared,
  isLastTry,
  isOpen,
  isSignedAsBound,
  type LoginContext,
  type LoginInput,
  type Refusal,
  reserved,
  type SentPin,
  type Timed,
  type Version,
} from './login-facts.ts'
import type { Ends } from './timers.ts'

/** Chart number, stored with every row. It is raised, and a migration added, when a stored state could be misread. Chart 2 has the states of chart 1. Its rows have
 *  a bound record (accounts/records.ts), which a server of chart 1 could not keep up to date. */
export const LOGIN_CHART = 2
/** The last chart whose records are not bound to their row (accounts/records.ts). */
export const UNBOUND_CHART = 1

/** Writes that the commit of a step makes besides the facts. `log…` is an entry of the activity log: `logFailed` says how many tries are left, `logBlocked` how
 *  long the block lasts. The commit that ends a pending challenge or commitment also deletes its stored data. */
export const LOGIN_EFFECTS = [
  'storeChallenge',
  'storeCommitment',
  'storeRecord',
  'markSeen',
  'logSuccess',
  'logFailed',
  'logBlocked',
  'logRefused',
  'logSession',
] as const
export type LoginEffect = (typeof LOGIN_EFFECTS)[number]

/** The lifetime of a challenge (spec/decisions#lifetimes). */
const CHALLENGE_MS = 6 * 60_000
/** The lifetime of a commitment (spec/decisions#lifetimes). */
const COMMITMENT_MS = 20_000
/** @param at Unix ms: the beginning of a commitment; @returns Unix ms */
export const endOfCommitment = (at: number): number => at + COMMITMENT_MS

const parts = setup({
  types: {
    context: {} as LoginContext,
    events: {} as StampedLoginEvent,
    input: {} as LoginInput,
  },
  delays: { challenge: CHALLENGE_MS, commitment: COMMITMENT_MS },
  guards: {
    isDeviceBound: ({ context }) => context.isDeviceBound,
    isOpen: ({ context }, timed: Timed) => isOpen(context, timed),
    isBlocked: ({ context }, timed: Timed) => !isOpen(context, timed),
    isAnswer: ({ context }, answer: Answer) => isAnswer(context, answer),
    isLastAnswer: ({ context }, answer: Answer) => isAnswer(context, answer) && isLastTry(context),
    isSignedAsBound: ({ context }, sent: SentPin) => isSignedAsBound(context, sent),
    isLastSignedAsBound: ({ context }, sent: SentPin) => isSignedAsBound(context, sent) && isLastTry(context),
    isCompared: ({ context }, attempt: Attempt) => isCompared(context, attempt),
    isComparedUnbound: ({ context }, attempt: Attempt) =>
      isCompared(context, attempt) && !context.isDeviceBound,
    isLastCompared: ({ context }, refusal: Refusal) =>
      isCompared(context, refusal) && refusal.triesLeft === 0,
    isV1: (_, { version }: Version) => version === 'v1',
    isV2: (_, { version }: Version) => version === 'v2',
    isKept: ({ context }) => context.deleteAt === null,
    isDeletionDue: ({ context }, { at }: Timed) => context.deleteAt !== null && at >= context.deleteAt,
  },
  actions: {
    storeChallenge: emit({ type: 'storeChallenge' satisfies LoginEffect }),
    storeCommitment: emit({ type: 'storeCommitment' satisfies LoginEffect }),
    storeRecord: emit({ type: 'storeRecord' satisfies LoginEffect }),
    markSeen: emit({ type: 'markSeen' satisfies LoginEffect }),
    logSuccess: emit({ type: 'logSuccess' satisfies LoginEffect }),
    logFailed: emit({ type: 'logFailed' satisfies LoginEffect }),
    logBlocked: emit({ type: 'logBlocked' satisfies LoginEffect }),
    logRefused: emit({ type: 'logRefused' satisfies LoginEffect }),
    logSession: emit({ type: 'logSession' satisfies LoginEffect }),
    reserve: assign(({ context }, attempt: Attempt & Timed) => reserved(context, attempt)),
    reset: assign({ attempts: 0, blockedUntil: 0 }),
    endComparison: assign({
      comparing: ({ context }, { attempt }: Attempt) =>
        context.comparing.filter(number => number !== attempt),
    }),
    // a comparison that still runs used the record that this step replaces
    endComparisons: assign({ comparing: [] }),
    bindDevice: assign({ isDeviceBound: true }),
    startChallenge: assign({ challengeEndsAt: (_, { at }: Timed) => at + CHALLENGE_MS }),
    endChallenge: assign({ challengeEndsAt: null }),
    startCommitment: assign({ commitmentEndsAt: (_, { at }: Timed) => endOfCommitment(at) }),
    endCommitment: assign({ commitmentEndsAt: null }),
    // using an account cancels its deletion
    keepAccount: assign({ deleteAt: null }),
    noteDeletion: assign({ deleteAt: (_, { deleteAt }: { readonly deleteAt: number }) => deleteAt }),
  },
})

/** Parameters of guards and actions, read from the event of their transition. */
const stamp = ({ event }: { readonly event: Timed }): Timed => ({ at: event.at })
const answerOf = ({ event }: { readonly event: Answer }): Answer => event
const sentOf = ({ event }: { readonly event: SentPin }): SentPin => event
const attemptOf = ({ event }: { readonly event: Attempt }): Attempt => ({ attempt: event.attempt })
const attemptAt = ({ event }: { readonly event: Attempt & Timed }): Attempt & Timed => event
const refusalOf = ({ event }: { readonly event: Refusal }): Refusal => event
const versionOf = ({ event }: { readonly event: Version }): Version => ({ version: event.version })

const reserve = { type: 'reserve', params: attemptAt } as const
const isAnswered = { type: 'isAnswer', params: answerOf } as const
const isSent = { type: 'isSignedAsBound', params: sentOf } as const
const isComparedNow = { type: 'isCompared', params: attemptOf } as const
const endComparison = { type: 'endComparison', params: attemptOf } as const
const isDeletionDue = { type: 'isDeletionDue', params: stamp } as const
const noteDeletion = {
  type: 'noteDeletion',
  params: ({ event }: { readonly event: { readonly deleteAt: number } }) => ({ deleteAt: event.deleteAt }),
} as const

/** The attempts that an open account may make: the third one begins a block. */
const openAttempts = {
  'app.answered': [
    { guard: { type: 'isLastAnswer', params: answerOf }, target: 'blocked', actions: reserve },
    { guard: isAnswered, actions: reserve },
  ],
  'app.sentPin': [
    { guard: { type: 'isLastSignedAsBound', params: sentOf }, target: 'blocked', actions: reserve },
    { guard: isSent, actions: reserve },
  ],
} as const

/** Outcomes of a comparison. A correct PIN opens the account, even if its attempt was reserved before the block. */
const outcomes = {
  'server.acceptedPin': {
    guard: isComparedNow,
    target: 'open',
    actions: [endComparison, 'reset', 'keepAccount', 'markSeen', 'logSuccess'],
  },
  'server.refusedPin': [
    {
      guard: { type: 'isLastCompared', params: refusalOf },
      actions: [endComparison, 'logFailed', 'logBlocked'],
    },
    { guard: isComparedNow, actions: [endComparison, 'logFailed'] },
  ],
  'server.changedPin': {
    guard: isComparedNow,
    target: 'open',
    actions: ['endComparisons', 'reset', 'storeRecord'],
  },
  'server.registeredKey': {
    guard: { type: 'isComparedUnbound', params: attemptOf },
    target: 'open',
    actions: ['endComparisons', 'reset', 'bindDevice', 'storeRecord'],
  },
} as const

/** A new challenge replaces the one that is pending, and has a life of its own. */
const started = {
  guard: 'isDeviceBound',
  target: 'pending',
  reenter: true,
  actions: [{ type: 'startChallenge', params: stamp }, 'storeChallenge'],
} as const

const isV1 = { type: 'isV1', params: versionOf } as const
const isV2 = { type: 'isV2', params: versionOf } as const
const startCommitment = [{ type: 'startCommitment', params: stamp }, 'storeCommitment'] as const

/** A new commitment replaces the one that is pending, and has a life of its own. */
const requested = [
  {
    guard: isV1,
    target: 'pendingV1',
    reenter: true,
    actions: startCommitment,
  },
  {
    guard: isV2,
    target: 'pendingV2',
    reenter: true,
    actions: startCommitment,
  },
] as const

/** While a commitment is pending, the response of the same version consumes it. */
function pendingCommitment<const Guard>(isSameVersion: Guard) {
  return {
    after: { commitment: { target: 'none', actions: 'endCommitment' } },
    on: {
      'app.requestedCommitments': requested,
      'app.requestedResponse': {
        guard: isSameVersion,
        target: 'none',
        actions: ['endCommitment', 'keepAccount', 'markSeen', 'logSession'],
      },
      'server.changedPin': { guard: isComparedNow, target: 'none', actions: 'endCommitment' },
    },
  } as const
}

export const loginChart = parts.createMachine({
  id: 'login',
  context: ({ input }) => firstLoginContext(input),
  initial: 'active',
  states: {
    active: {
      type: 'parallel',
      on: {
        'server.warned': { guard: 'isKept', actions: noteDeletion },
        'server.deleted': { guard: isDeletionDue, target: 'forgotten' },
        'owner.visited': { actions: ['keepAccount', 'markSeen'] },
        'owner.disabled': {
          target: 'disabled',
          actions: ['endChallenge', 'endCommitment', noteDeletion],
        },
      },
      states: {
        attempts: {
          initial: 'open',
          states: {
            open: { on: { ...openAttempts, ...outcomes } },
            blocked: {
              on: {
                'app.answered': { guard: isAnswered, actions: reserve },
                'app.sentPin': { guard: isSent, actions: reserve },
                'app.triedWhileBlocked': {
                  guard: { type: 'isBlocked', params: stamp },
                  actions: 'logRefused',
                },
                ...outcomes,
              },
            },
          },
        },
        challenge: {
          initial: 'none',
          states: {
            none: { on: { 'app.startedLogin': started } },
            pending: {
              after: { challenge: { target: 'none', actions: 'endChallenge' } },
              on: {
                'app.startedLogin': started,
                // a blocked account keeps its challenge; a wrong answer also consumes the challenge
                'app.answered': {
                  guard: { type: 'isOpen', params: stamp },
                  target: 'none',
                  actions: 'endChallenge',
                },
                'server.changedPin': { guard: isComparedNow, target: 'none', actions: 'endChallenge' },
              },
            },
          },
        },
        commitment: {
          initial: 'none',
          states: {
            none: { on: { 'app.requestedCommitments': requested } },
            pendingV1: pendingCommitment(isV1),
            pendingV2: pendingCommitment(isV2),
          },
        },
      },
    },
    /** the record is deleted; no account is found under the user name */
    disabled: { on: { 'server.deleted': { guard: isDeletionDue, target: 'forgotten' } } },
    /** the row is deleted */
    forgotten: { type: 'final' },
  },
})

export function firstLoginContext({ isDeviceBound }: LoginInput): LoginContext {
  return {
    attempts: 0,
    blockedUntil: 0,
    deleteAt: null,
    isDeviceBound,
    comparing: [],
    challengeEndsAt: null,
    commitmentEndsAt: null,
  }
}

/** Unix ms at which each delay of the chart elapses. */
export const LOGIN_ENDS: Ends<LoginContext> = {
  challenge: ({ challengeEndsAt }) => challengeEndsAt,
  commitment: ({ commitmentEndsAt }) => commitmentEndsAt,
}

export type LoginChart = typeof loginChart
export type LoginSnapshot = SnapshotFrom<LoginChart>
