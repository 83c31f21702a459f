/** An attempt at the PIN of an account, for any purpose (spec/interface#5.4; spec/keyshare-server#9). A first commit counts the attempt. Then the PIN of the
 *  committed row is compared in constant time. Then the outcome enters the chart as an event with the number of the attempt. If the process dies in between, the attempt
 *  stays counted.
 *  @module */
import { pinRefusal, triesLeft } from '../../accounts/pin-attempts.ts'
import { type AccountSecrets, isPin } from '../../accounts/secrets.ts'
import type { LoginEvent } from '../../machines/login-events.ts'
import type { Clock } from '../../ports/clock.ts'
import {
  MissingChallengeError,
  type RemoteError,
  UnexpectedRequestError,
  UserNotRegisteredError,
} from '../../protocol/errors.ts'
import type { PinRefusal } from '../../protocol/keyshare/answers.ts'
import type { AccountId, AccountRow } from '../../stores/account-store.ts'
import type { AccountStep, Accounts, AccountView } from './accounts.ts'

type Reserving = Extract<LoginEvent, { readonly type: 'app.answered' | 'app.sentPin' }>

export type PinAttempt = {
  /** secret */
  readonly pin: string
  /** The event that reserves the attempt, for the account in that turn. If it throws, the attempt is refused and not counted. */
  readonly reserves: (account: AccountView) => Reserving
  /** the error if the chart accepts no attempt, and the account is not blocked */
  readonly refused: () => RemoteError
  /** the step after a correct PIN */
  readonly accepts: (attempt: number, secrets: AccountSecrets) => AccountStep
  /** true if the activity log records a wrong PIN */
  readonly isLogged: boolean
  /** True if the same call was accepted earlier. It is then accepted again: no PIN is compared and no attempt is counted. Left out: calls are never repeated. */
  readonly isRepeated?: (account: AccountView) => boolean
}

/** The secrets of an account after a correct PIN, or the reason for the refusal. */
export type PinOutcome =
  | { readonly isRight: true; readonly secrets: AccountSecrets }
  | { readonly isRight: false; readonly refusal: PinRefusal }

type TryPinDeps = { readonly accounts: Accounts; readonly clock: Pick<Clock, 'now'> }

/** @throws {UserNotRegisteredError}
 *  @throws {UnexpectedRequestError} if the answer is to another challenge than the stored one; the stored challenge is used up
 *  @throws {MissingChallengeError} if the PIN or the device key was changed while this PIN was compared
 *  @throws the errors of `reserves`, and the error that `refused` returns */
export async function tryPin(deps: TryPinDeps, id: AccountId, attempt: PinAttempt): Promise<PinOutcome> {
  const { entered, row } = await reserve(deps, id, attempt)
  if (entered === null) return { isRight: true, secrets: deps.accounts.secretsOf(row) }
  const refusal = pinRefusal(row.attempts, row.blockedUntil, deps.clock.now())
  if (entered.type === 'app.triedWhileBlocked') return { isRight: false, refusal }
  if (entered.type === 'app.answered' && !entered.isRightChallenge)
    throw new UnexpectedRequestError('wrong challenge')
  const secrets = deps.accounts.secretsOf(row)
  if (isPin(secrets, attempt.pin)) {
    const step = attempt.accepts(row.version, secrets)
    await enterOutcome(deps, id, step, attempt)
    return { isRight: true, secrets: step.secrets ?? secrets }
  }
  await enterOutcome(deps, id, wrongPin(row, refusal), { isStored: attempt.isLogged })
  return { isRight: false, refusal }
}

type PinEvent = Reserving | { readonly type: 'app.triedWhileBlocked' }

/** @returns the event that the chart accepted (null for a repeated call), and the row that was committed with it */
async function reserve(
  { accounts }: TryPinDeps,
  id: AccountId,
  { reserves, refused, isRepeated = () => false }: PinAttempt,
): Promise<{ readonly entered: PinEvent | null; readonly row: AccountRow }> {
  let entered: PinEvent | null = null
  const turn = await accounts.turn(id, account => {
    entered = null
    if (isRepeated(account)) return null
    const event = reserves(account)
    entered = account.can(event) ? event : { type: 'app.triedWhileBlocked' }
    if (!account.can(entered)) throw refused()
    return { event: entered }
  })
  if (!turn?.after) throw new UserNotRegisteredError('could not find specified user')
  return { entered, row: turn.after }
}

function wrongPin({ version, attempts }: AccountRow, refusal: PinRefusal): AccountStep {
  const left = triesLeft(attempts)
  return {
    event: { type: 'server.refusedPin', attempt: version, triesLeft: left },
    refused: { triesLeft: left, waitSec: refusal.status === 'error' ? refusal.waitSec : 0 },
  }
}

type Entering = Pick<PinAttempt, 'isRepeated'> & {
  /** false: nothing is stored; the turn only checks that the record is still the compared one */
  readonly isStored?: boolean
}

async function enterOutcome(
  { accounts }: TryPinDeps,
  id: AccountId,
  step: AccountStep,
  { isStored = true, isRepeated }: Entering,
): Promise<void> {
  const turn = await accounts.turn(id, ({ can }) => (isStored || !can(step.event) ? step : null))
  const isOver = !turn?.after || (turn.isRefused && !(await isAccepted(accounts, id, isRepeated)))
  if (isOver)
    throw new MissingChallengeError('the PIN or the device key was changed while this PIN was compared')
}

/** True if another arrival of the same call was accepted while this one was compared. */
async function isAccepted(
  accounts: Accounts,
  id: AccountId,
  isRepeated: PinAttempt['isRepeated'],
): Promise<boolean> {
  let isSame = false
  if (isRepeated)
    await accounts.turn(id, account => {
      isSame = isRepeated(account)
      return null
    })
  return isSame
}
