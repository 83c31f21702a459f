/** A keyshare login at rest: the columns of its row, and `{ value, context }` with the other facts of the chart (machines/keyshare-login.ts). No fact stands in
 *  both, so that they cannot differ. Waking checks everything that was stored and does nothing else: no action runs, no timer starts. @module */
import { getNextTransitions } from 'xstate'
import { z } from 'zod'
import { triesLeft } from '../accounts/pin-attempts.ts'
import {
  firstLoginContext,
  LOGIN_CHART,
  type LoginChart,
  type LoginColumns,
  type LoginContext,
  type LoginInput,
  type LoginSnapshot,
  loginColumns,
  loginFacts,
} from './keyshare-login.ts'
import type { ProofVersion, StampedLoginEvent } from './login-events.ts'
import type { StoredSnapshot } from './migrations/migrations.ts'
import { isTimer } from './session-snapshot.ts'

/** What a row keeps of the chart. */
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

/** Whether the states say the same as the facts that come with them. */
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

/** What the chart begins in, without an actor that begins: nothing is done on entry. */
export function newLogin(machine: LoginChart, input: LoginInput): LoginSnapshot {
  const value = { active: { attempts: 'open', challenge: 'none', commitment: 'none' } } as const
  return machine.resolveState({ value, context: firstLoginContext(input) })
}

export function storeLogin({ value, context }: LoginSnapshot): StoredLogin {
  const { attempts, blockedUntil, deleteAt, ...facts } = context
  return { attempts, blockedUntil, deleteAt, snapshot: { value, context: facts } }
}

/** @param chart number of the chart that wrote it; rows of newer charts are for those who know them
 *  @throws {Error} for anything that this chart cannot have written */
export function wakeLogin(machine: LoginChart, chart: number, stored: StoredLogin): LoginSnapshot {
  if (chart !== LOGIN_CHART) throw new Error(`login chart: expected number ${LOGIN_CHART}, got ${chart}`)
  const { attempts, blockedUntil, deleteAt, snapshot } = stored
  const columns = { attempts, blockedUntil, deleteAt }
  const { success, data } = storedLogin.safeParse({ ...snapshot, columns })
  if (!success || !isConsistent(data))
    throw new Error(`login chart: the stored snapshot is not one of chart ${LOGIN_CHART}`)
  return machine.resolveState({ value: data.value, context: { ...data.context, ...data.columns } })
}

/** @returns null: the account is forgotten, its row is to be deleted */
export function loginStateOf({ value }: LoginSnapshot): 'active' | 'disabled' | null {
  if (typeof value !== 'string') return 'active'
  return value === 'forgotten' ? null : value
}

/** Whether a challenge is pending; what is stored of one is deleted where none is. */
export function hasChallenge(snapshot: LoginSnapshot): boolean {
  return snapshot.matches({ active: { challenge: 'pending' } })
}

/** The version of the commitment that is pending; what is stored of one is deleted where none is (null). */
export function pendingCommitment(snapshot: LoginSnapshot): ProofVersion | null {
  if (snapshot.matches({ active: { commitment: 'pendingV1' } })) return 'v1'
  return snapshot.matches({ active: { commitment: 'pendingV2' } }) ? 'v2' : null
}

/** When time alone next causes something: at the end of the challenge or of the commitment, whichever is earlier.
 *  @returns Unix ms; null: nothing is pending */
export function loginDueAt({ context }: { readonly context: LoginContext }): number | null {
  const { challengeEndsAt, commitmentEndsAt } = context
  if (challengeEndsAt === null || commitmentEndsAt === null) return challengeEndsAt ?? commitmentEndsAt
  return Math.min(challengeEndsAt, commitmentEndsAt)
}

/** What time alone has caused by `now`, the earliest first, or null. It happened then, however late it is noticed. */
export function loginTimeEvent(snapshot: LoginSnapshot, now: number): StampedLoginEvent | null {
  const at = loginDueAt(snapshot)
  if (at === null || at > now) return null
  const delay = at === snapshot.context.challengeEndsAt ? 'untilChallengeEnds' : 'untilCommitmentEnds'
  const timers = getNextTransitions(snapshot).map(({ eventType }) => eventType)
  const type = timers.filter(isTimer).find(timer => timer.startsWith(`xstate.after.${delay}.`))
  return type === undefined ? null : { type, at }
}
