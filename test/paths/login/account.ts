/** The model of one account: the keyshare login chart, with a clock and the version of its row. Paths are planned on it. The player of a path moves it in step
 *  with the real account. @module */
import {
  assign,
  createMachine,
  type EventFromLogic,
  getNextSnapshot,
  type SnapshotFrom,
  transition,
} from 'xstate'
import { type LoginSnapshot, loginChart } from '../../../machines/keyshare-login.ts'
import type { LoginEvent, ProofVersion, StampedLoginEvent } from '../../../machines/login-events.ts'
import { newLogin } from '../../../machines/login-snapshot.ts'
import { effectsAmong, timersIn } from '../tables/read-chart.ts'

/** Deadlines of an account. */
export type End = 'block' | 'challenge' | 'commitment' | 'deletion'

/** The attempt that an outcome belongs to: one that is being compared, or no known attempt, with or without tries left. */
export type Which = 'first' | 'second' | 'no attempt' | 'no attempt, none left'

export type OutcomeType =
  | 'server.acceptedPin'
  | 'server.refusedPin'
  | 'server.changedPin'
  | 'server.registeredKey'

/** An event without its time and attempt number, which both follow from the account. */
export type PathEvent =
  | { readonly type: 'app.startedLogin' | 'app.triedWhileBlocked' }
  | { readonly type: 'app.answered'; readonly isRightChallenge: boolean }
  | { readonly type: 'app.sentPin'; readonly isSignedByDevice: boolean }
  | { readonly type: OutcomeType; readonly of: Which }
  | { readonly type: 'app.requestedCommitments' | 'app.requestedResponse'; readonly version: ProofVersion }
  | { readonly type: 'server.warned' | 'owner.disabled' }
  | { readonly type: 'server.deleted' | 'owner.visited' }
  | { readonly type: 'time passes'; readonly until: End }

export type Account = {
  /** Unix ms */
  readonly now: number
  readonly login: LoginSnapshot
  /** the version of the account's row: each accepted event is one commit */
  readonly version: number
  /** the tries that were left when the attempt was reserved, by its number */
  readonly triesLeft: Readonly<Record<number, number>>
}

export type AccountInput = Pick<Account, 'now' | 'version'> & { readonly isDeviceBound: boolean }

/** The time from the announcement of a deletion to the deletion. */
export const DELETION_MS = 30 * 86_400_000

/** The tries before a block. */
const TRIES = 3

/** @returns Unix ms of a deadline in the future; null if there is none */
export function endOf({ login, now }: Account, end: End): number | null {
  const { blockedUntil, challengeEndsAt, commitmentEndsAt, deleteAt } = login.context
  const ends = {
    block: blockedUntil,
    challenge: challengeEndsAt,
    commitment: commitmentEndsAt,
    deletion: deleteAt,
  }
  const at = ends[end]
  return at !== null && at > now ? at : null
}

/** @returns the number of that attempt; 0 if there is none */
export function attemptOf({ login }: Account, which: Which): number {
  const [first = 0, second = 0] = login.context.comparing
  return { first, second, 'no attempt': 0, 'no attempt, none left': 0 }[which]
}

/** @returns the event for the gate; null for a timer event of the chart, or if only the clock moves */
export function sentEvent(event: PathEvent, account: Account): LoginEvent | null {
  switch (event.type) {
    case 'time passes':
      return null
    case 'server.refusedPin': {
      const attempt = attemptOf(account, event.of)
      const otherwise = event.of === 'no attempt, none left' ? 0 : TRIES
      return { type: event.type, attempt, triesLeft: account.triesLeft[attempt] ?? otherwise }
    }
    case 'server.acceptedPin':
    case 'server.changedPin':
    case 'server.registeredKey':
      return { type: event.type, attempt: attemptOf(account, event.of) }
    case 'server.warned':
    case 'owner.disabled':
      return { type: event.type, deleteAt: account.now + DELETION_MS }
    default:
      return event
  }
}

/** @returns the event that reaches the chart; null if only the clock moves */
export function stamped(event: PathEvent, account: Account): StampedLoginEvent | null {
  const { now: at, version } = account
  if (event.type === 'time passes') return timeEvent(event.until, account)
  const sent = sentEvent(event, account)
  if (sent === null) return null
  const isAttempt = sent.type === 'app.answered' || sent.type === 'app.sentPin'
  return isAttempt ? { ...sent, at, attempt: version + 1 } : { ...sent, at }
}

function timeEvent(until: End, account: Account): StampedLoginEvent | null {
  const at = endOf(account, until)
  if (at === null || until === 'block' || until === 'deletion') return null
  const type = timersIn(account.login).find(timer => timer.startsWith(`xstate.after.${until}.`))
  return type === undefined ? null : { type, at }
}

function canTake(account: Account, event: PathEvent): boolean {
  if (event.type === 'time passes') return endOf(account, event.until) !== null
  const given = stamped(event, account)
  return given !== null && account.login.can(given)
}

function after(account: Account, event: PathEvent): Partial<Account> {
  const given = stamped(event, account)
  const now = event.type === 'time passes' ? (endOf(account, event.until) ?? account.now) : account.now
  if (given === null) return { now }
  const login = getNextSnapshot(loginChart, account.login, given)
  const version = account.version + 1
  const left = Math.max(0, TRIES - login.context.attempts)
  return { now, login, version, triesLeft: { ...account.triesLeft, [version]: left } }
}

// `setup()` is not used: inside its inference, the compiler fails to infer the types of the login chart if no earlier file needed them
export const accountModel = createMachine({
  types: {} as { readonly context: Account; readonly events: PathEvent; readonly input: AccountInput },
  context: ({ input: { now, version, isDeviceBound } }) => ({
    now,
    version,
    triesLeft: {},
    login: newLogin(loginChart, { isDeviceBound }),
  }),
  on: {
    '*': {
      guard: ({ context, event }) => canTake(context, event),
      actions: assign(({ context, event }) => after(context, event)),
    },
  },
})

export type AccountSnapshot = SnapshotFrom<typeof accountModel>
export type AccountEvent = EventFromLogic<typeof accountModel>

/** The effects that the chart requests in that step, in their order. */
export function effectsOf({ context }: AccountSnapshot, event: PathEvent): string[] {
  const given = stamped(event, context)
  if (given === null) return []
  const [, actions] = transition(loginChart, context.login, given)
  return effectsAmong(actions)
}
