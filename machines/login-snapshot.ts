/** A keyshare login at rest: the columns of its row, and `{ value, context }` with the other facts of the chart (machines/keyshare-login.ts). Each fact is
 *  stored in one of the two only, so they cannot differ. Waking checks everything that was stored and does nothing else: no action runs, no timer starts.
 *  @module */
import { z } from 'zod'
import { triesLeft } from '../accounts/pin-attempts.ts'
import {
  firstLoginContext,
  LOGIN_CHART,
  LOGIN_ENDS,
  type LoginChart,
  type LoginSnapshot,
  UNBOUND_CHART,
} from './keyshare-login.ts'
import type { ProofVersion } from './login-events.ts'
import { type LoginColumns, type LoginInput, loginColumns, loginFacts } from './login-facts.ts'
import type { StoredSnapshot } from './migrations/migrations.ts'
import { type DueEvent, nextDue } from './timers.ts'

/** The part of the chart that a row stores. */
export type StoredLogin = LoginColumns & { readonly snapshot: StoredSnapshot | null }

const active = z.strictObject({
  attempts: z.enum(['open', 'blocked']),
  challenge: z.enum(['none', 'pending']),
  commitment: z.enum(['none', 'pendingV1', 'pendingV2']),
})
const storedLogin = z.strictObject({
  value: z.union([z.literal('disabled'), z.strictObject({ active })]),
  context: loginFacts,
  columns: loginColumns,
})

/** True if the states agree with the facts that are stored beside them. */
function isConsistent({ value, context, columns }: z.output<typeof storedLogin>): boolean {
  const { challengeEndsAt, commitmentEndsAt } = context
  if (value === 'disabled')
    return challengeEndsAt === null && commitmentEndsAt === null && columns.deleteAt !== null
  const { attempts, challenge, commitment } = value.active
  const isBlocked = triesLeft(columns.attempts) === 0
  return (
    (attempts === 'blocked') === isBlocked &&
    columns.blockedUntil > 0 === isBlocked &&
    (challenge === 'pending') === (challengeEndsAt !== null) &&
    (commitment !== 'none') === (commitmentEndsAt !== null)
  )
}

/** Initial snapshot, without starting an actor: the chart has no entry actions. */
export function newLogin(machine: LoginChart, input: LoginInput): LoginSnapshot {
  const value = { active: { attempts: 'open', challenge: 'none', commitment: 'none' } } as const
  return machine.resolveState({ value, context: firstLoginContext(input) })
}

export function storeLogin({ value, context }: LoginSnapshot): StoredLogin {
  const { attempts, blockedUntil, deleteAt, ...facts } = context
  return { attempts, blockedUntil, deleteAt, snapshot: { value, context: facts } }
}

/** @param chart number of the chart that wrote the row; a row of a newer chart is left to nodes that know that chart
 *  @throws {Error} for a row that this chart cannot have written */
export function wakeLogin(machine: LoginChart, chart: number, stored: StoredLogin): LoginSnapshot {
  if (chart < UNBOUND_CHART || chart > LOGIN_CHART)
    throw new Error(`login chart: expected number ${UNBOUND_CHART} to ${LOGIN_CHART}, got ${chart}`)
  const { attempts, blockedUntil, deleteAt, snapshot } = stored
  const columns = { attempts, blockedUntil, deleteAt }
  const { success, data } = storedLogin.safeParse({ ...snapshot, columns })
  if (!success || !isConsistent(data))
    throw new Error(`login chart: the stored snapshot is not one of chart ${chart}`)
  return machine.resolveState({ value: data.value, context: { ...data.context, ...data.columns } })
}

/** @returns null if the account is forgotten: its row is to be deleted */
export function loginStateOf({ value }: LoginSnapshot): 'active' | 'disabled' | null {
  if (value === 'disabled') return value
  return value === 'forgotten' ? null : 'active'
}

/** True if a challenge is pending. If not, the caller deletes the stored challenge. */
export function hasChallenge(snapshot: LoginSnapshot): boolean {
  return regionsOf(snapshot).challenge === 'pending'
}

/** The version of the pending commitment. If none is pending (null), the caller deletes the stored commitment. */
export function pendingCommitment(snapshot: LoginSnapshot): ProofVersion | null {
  const { commitment } = regionsOf(snapshot)
  if (commitment === 'pendingV1') return 'v1'
  return commitment === 'pendingV2' ? 'v2' : null
}

/** The state of each region of an account that can be used. */
function regionsOf({ value }: LoginSnapshot): Readonly<Record<string, unknown>> {
  return { ...Object(Object(value).active) }
}

/** The event that time alone causes next: the end of the challenge or of the commitment, the earlier of the two. Its `at` is the time when it is due,
 *  however late it is noticed. Null: nothing is pending. */
export function loginDue(snapshot: LoginSnapshot): DueEvent | null {
  return nextDue(snapshot, LOGIN_ENDS)
}
