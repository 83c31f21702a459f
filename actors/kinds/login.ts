/** Keyshare logins as a kind of actors (spec/interface#4.5, #5.4): their chart, the events that time causes, and how the row of an account follows from the previous row.
 *  The commit that ends a pending challenge or commitment also deletes its stored data. Values in, values out. @module */
import type { AccountSecrets } from '../../accounts/secrets.ts'
import {
  LOGIN_CHART,
  type LoginChart,
  type LoginSnapshot,
  loginChart,
  UNBOUND_CHART,
} from '../../machines/keyshare-login.ts'
import type { LoginEvent, StampedLoginEvent } from '../../machines/login-events.ts'
import { deletionAt, UNUSED_DAYS } from '../../machines/login-facts.ts'
import {
  hasChallenge,
  loginDue,
  loginStateOf,
  newLogin,
  pendingCommitment,
  storeLogin,
  wakeLogin,
} from '../../machines/login-snapshot.ts'
import type { AccountRow, LogEntry, StoredCommitment } from '../../stores/account-store.ts'
import type { Inserts } from '../../stores/store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import type { AccountStep, AccountStepInserts, NewAccount } from '../accounts/accounts.ts'
import type { Committer, Kind, StepOutcome } from '../kind.ts'

/** The secrets of rows. A record belongs to one version of its row, so each commit seals it again. */
export type RecordsOfRows = {
  /** @throws {RecordError} */
  readonly secretsOf: (row: AccountRow) => AccountSecrets
  /** the row with its record, the hash of the token id in it, and the number of its chart */
  readonly sealed: (row: AccountRow, secrets: AccountSecrets) => AccountRow
}

export type LoginKind = {
  readonly row: AccountRow
  readonly event: LoginEvent
  readonly stamped: StampedLoginEvent
  readonly snapshot: LoginSnapshot
  readonly effect: never
  readonly written: {
    readonly challenge: Uint8Array
    readonly commitment: StoredCommitment
    readonly secrets: AccountSecrets
    readonly refused: Required<AccountStep>['refused']
    readonly inserts: AccountStepInserts
  }
  readonly inserts: Inserts
}

/** @param chart for tests of failing charts */
export function loginKind(records: RecordsOfRows, chart: LoginChart = loginChart): Kind<LoginKind> {
  return {
    name: 'account',
    chart,
    number: LOGIN_CHART,
    effects: [],
    wake: row => wakeLogin(chart, row.chart ?? 0, row),
    stamped,
    dueAt: ({ dueAt }) => dueAt ?? Number.POSITIVE_INFINITY,
    isOver: () => false, // the owner of an account may log in again
    workerOf: () => null,
    timeEvent,
    rowAfter: (...step) => rowAfter(records, ...step),
    insertsOf,
    closed,
  }
}

/** The row of a new account. */
export function firstAccountRow(
  { userName, language, secrets }: NewAccount,
  { sealed }: Pick<RecordsOfRows, 'sealed'>,
  now: number,
): AccountRow {
  const row: AccountRow = {
    userName,
    language,
    record: null,
    tokenIdHash: null,
    ...storeLogin(newLogin(loginChart, { isDeviceBound: secrets.deviceKey !== null })),
    // the first use keeps the account
    deleteAt: deletionAt(now, UNUSED_DAYS),
    id: hashOfToken(userName),
    version: 1,
    chart: UNBOUND_CHART,
    challenge: null,
    commitment: null,
    dueAt: null,
    seenAt: now,
  }
  return sealed(row, secrets)
}

/** The number of an attempt is the version of the commit that reserves it. */
function stamped(event: LoginEvent, { version }: AccountRow, at: number): StampedLoginEvent {
  const isAttempt = event.type === 'app.answered' || event.type === 'app.sentPin'
  return isAttempt ? { ...event, at, attempt: version + 1 } : { ...event, at }
}

function timeEvent(_row: AccountRow, snapshot: LoginSnapshot, now: number): StampedLoginEvent {
  const due = loginDue(snapshot)
  if (due === null || due.at > now)
    throw new Error('account: expected a timer in the status of a due account, got none')
  return due
}

/** @returns null: the account is forgotten */
function rowAfter(
  { secretsOf, sealed }: RecordsOfRows,
  before: AccountRow,
  { snapshot, named, written }: StepOutcome<LoginKind>,
  { now }: Committer,
): AccountRow | null {
  const state = loginStateOf(snapshot)
  if (state === null) return null
  const pick = <Value>(effect: string, fresh: Value | undefined, stored: Value): Value =>
    named.includes(effect) ? required(fresh, effect) : stored
  const after: AccountRow = {
    ...before,
    ...storeLogin(snapshot),
    version: before.version + 1,
    challenge: hasChallenge(snapshot) ? pick('storeChallenge', written.challenge, before.challenge) : null,
    commitment: pendingCommitment(snapshot)
      ? pick('storeCommitment', written.commitment, before.commitment)
      : null,
    dueAt: loginDue(snapshot)?.at ?? null,
    seenAt: named.includes('markSeen') ? now : before.seenAt,
  }
  if (state === 'disabled' || before.record === null) return { ...after, record: null, tokenIdHash: null }
  const isReplaced = named.includes('storeRecord')
  return sealed(after, isReplaced ? required(written.secrets, 'storeRecord') : secretsOf(before))
}

/** Without this check, a commit that lacks the new value would keep the old one, although that was already used. */
function required<Value>(value: Value | undefined, effect: string): Value {
  if (value === undefined) throw new TypeError(`${effect}: expected a value to store, got none`)
  return value
}

function insertsOf(
  _before: AccountRow,
  after: AccountRow | null,
  { named, written }: StepOutcome<LoginKind>,
  now: number,
): Inserts {
  if (after === null) return {}
  const { owed = [], ...inserts } = written.inserts ?? {}
  const log = named.flatMap(effect => entryOf(effect, written.refused, now))
  return { account: { ...inserts, log }, owed }
}

/** The entry of the activity log for an effect. */
function entryOf(
  effect: string,
  refused: LoginKind['written']['refused'] | undefined,
  at: number,
): LogEntry[] {
  switch (effect) {
    case 'logSuccess':
      return [{ at, event: 'PIN_CHECK_SUCCESS', param: null }]
    case 'logFailed':
      return [{ at, event: 'PIN_CHECK_FAILED', param: required(refused, effect).triesLeft }]
    case 'logBlocked':
      return [{ at, event: 'PIN_CHECK_BLOCKED', param: required(refused, effect).waitSec }]
    case 'logRefused':
      return [{ at, event: 'PIN_CHECK_REFUSED', param: null }]
    case 'logSession':
      return [{ at, event: 'SESSION', param: null }]
    default:
      return []
  }
}

/** The account becomes unusable but is kept, because its secrets are the user's only copy. Pending challenge and commitment are deleted. */
function closed(before: AccountRow): { row: AccountRow; inserts: Inserts } {
  const nothing = { chart: null, snapshot: null, challenge: null, commitment: null, dueAt: null }
  return { row: { ...before, ...nothing, version: before.version + 1 }, inserts: {} }
}
