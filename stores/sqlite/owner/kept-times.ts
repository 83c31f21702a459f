/** Adjusts the times in a file to this process. Each process counts time from the system clock at its start, and ignores later changes of that clock.
 *  So the count of the next process differs, and stored times are moved by the difference. @module */
import type { Clock } from '../../../ports/clock.ts'
import { NEVER } from '../../oidc-store.ts'
import type { Statements } from '../statements.ts'

/** The minimum difference that counts: clocks that are not set drift by less. */
const LEAST_MS = 1_000

type LastSeen = { readonly now_at: number | null; readonly wall_at: number | null }

/** How far the count of this process is ahead of the count in the file. Time that passed in between is not a difference. If the current time is
 *  before the latest time in the file, the clock was set back meanwhile.
 *  @returns ms; negative: behind */
export function differenceMs({ now_at, wall_at }: LastSeen, now: number): number {
  if (now_at === null || wall_at === null) return 0
  const aheadMs = Math.min(now, wall_at) - now_at
  return Math.abs(aheadMs) < LEAST_MS ? 0 : aheadMs
}

export function lastSeen(statements: Statements): LastSeen {
  const [seen] = statements.all<LastSeen>('select now_at, wall_at from owner')
  return seen ?? { now_at: null, wall_at: null }
}

/** Moves deadlines, leases, ages of stored answers, deliveries, and all times of accounts and of
 *  an OpenID provider. Times for other programs are not moved: times of
 *  revocation, and times in requests, results and messages. A damaged text is not changed. */
const MOVES = [
  move('sessions', ['deadline_at', 'due_at', 'answered_at']),
  moveIn('sessions', 'snapshot', '$.context.deadlineAt'),
  moveIn('sessions', 'claim', '$.leaseUntil'),
  move('deliveries', ['owed_at', 'due_at', 'give_up_at']),
  move('accounts', ['due_at', 'delete_at', 'seen_at']),
  `${move('accounts', ['blocked_until'])} where blocked_until > 0`,
  moveIn('accounts', 'snapshot', '$.context.challengeEndsAt'),
  moveIn('accounts', 'snapshot', '$.context.commitmentEndsAt'),
  move('account_log', ['at']),
  move('account_addresses', ['delete_at']),
  move('mail_links', ['made_at', 'ends_at']),
  `${move('oidc_records', ['expires_at'])} where expires_at < ${NEVER}`,
]

/** A null value stays null. */
function move(table: string, columns: readonly string[]): string {
  return `update ${table} set ${columns.map(column => `${column} = ${column} + :byMs`).join(', ')}`
}

/** Some versions of the driver bind a number as a real one, and a text would keep that. */
function moveIn(table: string, column: string, path: string): string {
  const moved = `json_set(${column}, '${path}', cast(json_extract(${column}, '${path}') + :byMs as integer))`
  const isTime = `json_type(${column}, '${path}') in ('integer', 'real')`
  return `update ${table} set ${column} = ${moved} where json_valid(${column}) and ${isTime}`
}

/** How far the times of accounts were moved since the file was made, ms. */
export function movedMs(statements: Pick<Statements, 'all'>): number {
  const [stored] = statements.all<{ moved_ms: number }>('select moved_ms from owner')
  return Number(stored?.moved_ms ?? 0)
}

/** To be called within one transaction, so that a killed start moves all times or none. */
export function adoptTimes(statements: Statements, clock: Pick<Clock, 'now' | 'wallNow'>): boolean {
  const now = clock.now()
  const byMs = differenceMs(lastSeen(statements), now)
  if (byMs !== 0) for (const move of MOVES) statements.run(move, { byMs })
  const times = { now, wallNow: clock.wallNow(), byMs }
  const noted = 'update owner set now_at = :now, wall_at = :wallNow, moved_ms = moved_ms + :byMs'
  return statements.run(noted, times) > 0
}
