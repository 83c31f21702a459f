/** The expected facts of an account after a step of its path: answers of calls, its row, its activity log (spec/interface#4.5; spec/keyshare-server#6 to #10, #12.1;
 *  spec/decisions#k11, #k13, #errors). @module */
import { storeLogin } from '../../../machines/login-snapshot.ts'
import type { AccountRow, LogEntry } from '../../../stores/account-store.ts'
import { type Account, endOf, type PathEvent } from './account.ts'

/** The answer to a call whose event the chart refuses; null if no call causes that event in this state, so that it is tried at the gate. */
export function refusalOf(event: PathEvent, account: Account): string | null {
  const { value, context } = account.login
  const isOver = typeof value === 'string'
  const isBlocked = !isOver && endOf(account, 'block') !== null
  switch (event.type) {
    case 'owner.visited':
      return '403 INVALID_TOKEN'
    case 'owner.disabled':
      return '404' // of the account page
    case 'app.startedLogin':
      return isOver ? UNKNOWN : '400 INVALID_REQUEST'
    case 'app.answered':
      if (isOver) return UNKNOWN
      if (!context.isDeviceBound) return '400 INVALID_REQUEST'
      return isBlocked ? null : '409 MISSING_CHALLENGE'
    case 'app.sentPin':
      if (isOver) return UNKNOWN
      if (event.isSignedByDevice) return context.isDeviceBound ? null : '400 INVALID_REQUEST'
      return context.isDeviceBound ? '403 UNEXPECTED_REQUEST' : null
    case 'app.requestedCommitments':
      return UNKNOWN
    case 'app.requestedResponse':
      return isOver ? UNKNOWN : '409 MISSING_COMMITMENT'
    default:
      return null
  }
}

const UNKNOWN = '403 USER_NOT_REGISTERED'

/** A counted attempt: the values of the answer if its PIN is wrong. */
export type Counted = { readonly triesLeft: number; readonly waitSec: number }

/** The values for an attempt that is refused now: the tries that are left, or the seconds of the block. */
export function countedNow({ login: { context }, now, triesLeft, version }: Account): Counted {
  const left = triesLeft[version] ?? 0
  return { triesLeft: left, waitSec: left > 0 ? 0 : (context.blockedUntil - now) / 1_000 }
}

/** The answer to a wrong PIN, and to any PIN while the account is blocked. */
export function pinRefused({ triesLeft, waitSec }: Counted): object {
  if (triesLeft > 0) return { status: 'failure', message: String(triesLeft) }
  return { status: 'error', message: String(waitSec) }
}

/** The entries that a step adds to the activity log, the newest first.
 *  @param counted the attempt that the step ends */
export function entriesOf(
  effects: readonly string[],
  at: number,
  { triesLeft, waitSec }: Counted,
): LogEntry[] {
  const entries: Readonly<Record<string, LogEntry>> = {
    logSuccess: { at, event: 'PIN_CHECK_SUCCESS', param: null },
    logFailed: { at, event: 'PIN_CHECK_FAILED', param: triesLeft },
    logBlocked: { at, event: 'PIN_CHECK_BLOCKED', param: waitSec },
    logRefused: { at, event: 'PIN_CHECK_REFUSED', param: null },
    logSession: { at, event: 'SESSION', param: null },
  }
  return effects.flatMap(effect => entries[effect] ?? []).reverse()
}

/** The values of a row, except sealed and random ones. */
export function rowOf({ login, version }: Account, seenAt: number) {
  const { challengeEndsAt, commitmentEndsAt } = login.context
  const ends = [challengeEndsAt, commitmentEndsAt].flatMap(at => at ?? [])
  const isDisabled = login.value === 'disabled'
  return {
    ...storeLogin(login),
    version,
    seenAt,
    dueAt: ends.length === 0 ? null : Math.min(...ends),
    isChallengePending: challengeEndsAt !== null,
    isCommitmentPending: commitmentEndsAt !== null,
    hasRecord: !isDisabled,
    hasTokenId: !isDisabled,
  }
}

/** The same values of a stored row. */
export function seenOf(row: AccountRow): ReturnType<typeof rowOf> {
  const { attempts, blockedUntil, deleteAt, snapshot, version, seenAt, dueAt } = row
  return {
    attempts,
    blockedUntil,
    deleteAt,
    snapshot,
    version,
    seenAt,
    dueAt,
    isChallengePending: row.challenge !== null,
    isCommitmentPending: row.commitment !== null,
    hasRecord: row.record !== null,
    hasTokenId: row.tokenIdHash !== null,
  }
}
