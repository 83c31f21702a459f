/** Keyshare login statechart (spec/interface#4.5, #4.6, #5.4): the events that the keyshare server accepts for one account. The protocol names the account and not a
 *  login, so there is one actor per account. Its attempts at the PIN, its challenge and its commitment are parallel regions. An event says what was checked before:
 *  the token, the device signature, the challenge. Only this chart decides whether the event is allowed now. Pure: no I/O, clock, randomness or secret; the
 *  time is `at` on the event. Effects are names without a body: each is something that the commit of the step writes. The end of a block is no event: the chart
 *  compares the time of an attempt with it. A valid token is no state: the caller checks it. @module */
import { and, assign, emit, not, type SnapshotFrom, setup, stateIn } from 'xstate'
import { z } from 'zod'
import { blockMsAfter, triesLeft } from '../accounts/pin-attempts.ts'
import type { StampedLoginEvent } from './login-events.ts'

/** Chart number, stored with every row. It is raised, and a migration added, when a stored state could be misread. */
export const LOGIN_CHART = 1

/** The most attempts that await their outcome. If a process dies, its outcomes never arrive; new attempts then displace the oldest ones. */
const MAX_COMPARING = 8

/** Facts that are columns of the row. While the actor is at rest they are stored there only. */
export const loginColumns = z.strictObject({
  /** attempts reserved since the last correct PIN */
  attempts: z.int().nonnegative(),
  /** Unix ms of the end of the block; 0: not blocked */
  blockedUntil: z.int().nonnegative(),
  /** Unix ms from which the account may be deleted; null: the account is kept */
  deleteAt: z.int().nullable(),
})

/** All other facts: small, and free of secrets. */
export const loginFacts = z.strictObject({
  /** the record holds a device key; it cannot be replaced */
  isDeviceBound: z.boolean(),
  /** numbers of the attempts whose PIN is being compared with the current record, oldest first */
  comparing: z.array(z.int().positive()).max(MAX_COMPARING),
  /** Unix ms; null: none is pending */
  challengeEndsAt: z.int().nullable(),
  /** Unix ms; null: none is pending */
  commitmentEndsAt: z.int().nullable(),
})

export type LoginColumns = Readonly<z.output<typeof loginColumns>>
export type LoginFacts = Readonly<z.output<typeof loginFacts>>
export type LoginContext = LoginColumns & LoginFacts
export type LoginInput = { readonly isDeviceBound: boolean }

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

const parts = setup({
  types: {
    context: {} as LoginContext,
    events: {} as StampedLoginEvent,
    input: {} as LoginInput,
  },
  delays: {
    // only the gate fires them
    untilChallengeEnds: ({ context, event }) => (context.challengeEndsAt ?? event.at) - event.at,
    untilCommitmentEnds: ({ context, event }) => (context.commitmentEndsAt ?? event.at) - event.at,
  },
  guards: {
    isDeviceBound: ({ context }) => context.isDeviceBound,
    /** a PIN without the signature of the registered device is not compared: the answer would let any caller test the PIN */
    isSignedAsBound: ({ context, event }) =>
      event.type === 'app.sentPin' && event.isSignedByDevice === context.isDeviceBound,
    isBlocked: ({ context, event }) => event.at < context.blockedUntil,
    isRightChallenge: ({ event }) => event.type === 'app.answered' && event.isRightChallenge,
    isLastTry: ({ context }) => triesLeft(context.attempts + 1) === 0,
    wasLastTry: ({ event }) => event.type === 'server.refusedPin' && event.triesLeft === 0,
    isCompared: ({ context, event }) => 'attempt' in event && context.comparing.includes(event.attempt),
    isV1: ({ event }) => 'version' in event && event.version === 'v1',
    isV2: ({ event }) => 'version' in event && event.version === 'v2',
    isKept: ({ context }) => context.deleteAt === null,
    isDeletionDue: ({ context, event }) => context.deleteAt !== null && event.at >= context.deleteAt,
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
    reserve: assign(({ context, event }) => reserved(context, event)),
    reset: assign({ attempts: 0, blockedUntil: 0 }),
    endComparison: assign({
      comparing: ({ context, event }) =>
        context.comparing.filter(number => !('attempt' in event) || number !== event.attempt),
    }),
    // all other comparisons use a record that was replaced
    endComparisons: assign({ comparing: [] }),
    bindDevice: assign({ isDeviceBound: true }),
    startChallenge: assign({ challengeEndsAt: ({ event }) => event.at + CHALLENGE_MS }),
    endChallenge: assign({ challengeEndsAt: null }),
    startCommitment: assign({ commitmentEndsAt: ({ event }) => event.at + COMMITMENT_MS }),
    endCommitment: assign({ commitmentEndsAt: null }),
    // using an account cancels its deletion
    keepAccount: assign({ deleteAt: null }),
    noteDeletion: assign({
      deleteAt: ({ context, event }) => ('deleteAt' in event ? event.deleteAt : context.deleteAt),
    }),
  },
})

/** Counts the attempt, and starts the block if there is one, before the PIN is compared. */
function reserved({ attempts, comparing }: LoginContext, event: StampedLoginEvent): Partial<LoginContext> {
  const blockMs = blockMsAfter(attempts + 1)
  const numbers = 'attempt' in event ? [...comparing, event.attempt] : comparing
  return {
    attempts: attempts + 1,
    blockedUntil: blockMs === 0 ? 0 : event.at + blockMs,
    comparing: numbers.slice(-MAX_COMPARING),
  }
}

const isPending = stateIn({ active: { challenge: 'pending' } })
const isLogin = and([isPending, not('isBlocked'), 'isRightChallenge'])
const isOtherAttempt = and([not('isBlocked'), 'isSignedAsBound'])

/** The attempts that an open account may make: the third one begins a block. */
const openAttempts = {
  'app.answered': [
    { guard: and([isLogin, 'isLastTry']), target: 'blocked', actions: 'reserve' },
    { guard: isLogin, actions: 'reserve' },
  ],
  'app.sentPin': [
    { guard: and([isOtherAttempt, 'isLastTry']), target: 'blocked', actions: 'reserve' },
    { guard: isOtherAttempt, actions: 'reserve' },
  ],
} as const

/** Outcomes of a comparison. A correct PIN opens the account, even if its attempt was reserved before the block. */
const outcomes = {
  'server.acceptedPin': {
    guard: 'isCompared',
    target: 'open',
    actions: ['endComparison', 'reset', 'keepAccount', 'markSeen', 'logSuccess'],
  },
  'server.refusedPin': [
    {
      guard: and(['isCompared', 'wasLastTry']),
      actions: ['endComparison', 'logFailed', 'logBlocked'],
    },
    { guard: 'isCompared', actions: ['endComparison', 'logFailed'] },
  ],
  'server.changedPin': {
    guard: 'isCompared',
    target: 'open',
    actions: ['endComparisons', 'reset', 'storeRecord'],
  },
  'server.registeredKey': {
    guard: and(['isCompared', not('isDeviceBound')]),
    target: 'open',
    actions: ['endComparisons', 'reset', 'bindDevice', 'storeRecord'],
  },
} as const

const started = {
  guard: 'isDeviceBound',
  target: 'pending',
  actions: ['startChallenge', 'storeChallenge'],
} as const

/** A new commitment replaces the one that is pending. */
const requested = [
  { guard: 'isV1', target: 'pendingV1', actions: ['startCommitment', 'storeCommitment'] },
  { guard: 'isV2', target: 'pendingV2', actions: ['startCommitment', 'storeCommitment'] },
] as const

/** While a commitment is pending, the response of the same version consumes it. */
function pendingCommitment<const Guard extends string>(isSameVersion: Guard) {
  return {
    after: { untilCommitmentEnds: { target: 'none', actions: 'endCommitment' } },
    on: {
      'app.requestedCommitments': requested,
      'app.requestedResponse': {
        guard: isSameVersion,
        target: 'none',
        actions: ['endCommitment', 'keepAccount', 'markSeen', 'logSession'],
      },
      'server.changedPin': { guard: 'isCompared', target: 'none', actions: 'endCommitment' },
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
        'server.warned': { guard: 'isKept', actions: 'noteDeletion' },
        'server.deleted': { guard: 'isDeletionDue', target: 'forgotten' },
        'owner.visited': { actions: ['keepAccount', 'markSeen'] },
        'owner.disabled': {
          target: 'disabled',
          actions: ['endChallenge', 'endCommitment', 'noteDeletion'],
        },
      },
      states: {
        attempts: {
          initial: 'open',
          states: {
            open: { on: { ...openAttempts, ...outcomes } },
            blocked: {
              on: {
                'app.answered': { guard: isLogin, actions: 'reserve' },
                'app.sentPin': { guard: isOtherAttempt, actions: 'reserve' },
                'app.triedWhileBlocked': { guard: 'isBlocked', actions: 'logRefused' },
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
              after: { untilChallengeEnds: { target: 'none', actions: 'endChallenge' } },
              on: {
                'app.startedLogin': started,
                // a blocked account keeps its challenge; a wrong answer also consumes the challenge
                'app.answered': { guard: not('isBlocked'), target: 'none', actions: 'endChallenge' },
                'server.changedPin': { guard: 'isCompared', target: 'none', actions: 'endChallenge' },
              },
            },
          },
        },
        commitment: {
          initial: 'none',
          states: {
            none: { on: { 'app.requestedCommitments': requested } },
            pendingV1: pendingCommitment('isV1'),
            pendingV2: pendingCommitment('isV2'),
          },
        },
      },
    },
    /** the record is deleted; no account is found under the user name */
    disabled: { on: { 'server.deleted': { guard: 'isDeletionDue', target: 'forgotten' } } },
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

export type LoginChart = typeof loginChart
export type LoginSnapshot = SnapshotFrom<LoginChart>
