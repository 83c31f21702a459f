/** Logging in at a keyshare server (spec 5.4.2, `spec/keyshare-server.md` 6.4): the PIN is asked for, and asked for again while it is wrong and tries are left;
 *  what is got for it is kept in memory and serves the sessions after. @module */

import type { SchemeId } from '../../protocol/ids.ts'
import type { Scheme } from '../../schemes/types.ts'
import { Cancelled, SessionFailure } from '../failure.ts'
import type { NamedServerDeps } from '../named-servers.ts'
import type { Wallet } from '../wallet.ts'
import type { AuthenticationToken, KeyshareAccount } from './account.ts'
import { MIN_TOKEN_SEC, type PinAnswer, readChallengeAnswer, readPinAnswer, readToken } from './answers.ts'
import { type Authentication, type KeyshareCalls, keyshareCalls } from './calls.ts'
import { openDevice } from './device.ts'

/** How far ahead the `exp` of a request to log in is: it serves all rounds. */
const START_SEC = 180
/** The rounds of a login, or of a proof, whose challenge or commitment the server has lost. */
const MAX_ROUNDS = 3
const CONFLICT = 409

export type PinQuestion = {
  /** whose keyshare server checks it */
  readonly scheme: SchemeId
  /** after a wrong PIN; null: it is asked for the first time */
  readonly triesLeft: number | null
}

/** The PIN as the user types it, secret; null: the user walks away. */
export type AskPin = (question: PinQuestion) => Promise<string | null>

export type KeyshareDeps = Omit<NamedServerDeps, 'developerMode'> & { readonly wallet: Wallet }

/** A keyshare server, and the account there. */
export type KeyshareServer = {
  readonly scheme: Scheme
  readonly account: KeyshareAccount
  readonly calls: KeyshareCalls
  readonly deps: KeyshareDeps
}

/** @throws {SessionFailure} `pin-out-of-sync` for an account that is not used; `insecure` */
export function serverOf(scheme: Scheme, account: KeyshareAccount, deps: KeyshareDeps): KeyshareServer {
  if (account.isOutOfSync)
    throw new SessionFailure(
      'pin-out-of-sync',
      `the PIN of the account of ${scheme.id} is not the one of the others: this account is not used`,
    )
  const { developerMode } = deps.wallet
  return { scheme, account, deps, calls: keyshareCalls(scheme, { ...deps, developerMode }) }
}

/** A PIN that was compared, or that was not.
 *  @throws {SessionFailure} {Cancelled} */
export async function logIn(server: KeyshareServer, pin: string): Promise<PinAnswer> {
  const { scheme, account, calls, deps } = server
  const device = await openDevice(deps.wallet.dir, scheme.id)
  const id = account.userName
  const start = device.jwt({ exp: nowSecOf(deps) + START_SEC, id })
  const answer = await inRounds(async () => {
    const challenge = readChallengeAnswer(
      await calls.post('/users/verify_start', { auth_request_jwt: start }),
    )
    const auth_response_jwt = device.jwt({ id, pin: device.pinValue(pin), challenge })
    return readPinAnswer(
      await calls.post('/users/verify/pin_challengeresponse', { id: '', pin: '', auth_response_jwt }),
    )
  })
  if (answer.status === 'success')
    deps.wallet.tokens.set(scheme.id, await readToken(answer.message, scheme, nowSecOf(deps)))
  return answer
}

/** The token that is kept, or a new one for a PIN.
 *  @throws {SessionFailure} `pin-blocked`, and as every call
 *  @throws {Cancelled} if the user walks away */
export async function authenticate(server: KeyshareServer, askPin: AskPin): Promise<Authentication> {
  const { account } = server
  let triesLeft: number | null = null
  for (;;) {
    const token = tokenOf(server)
    if (token) return { account, token }
    const pin = await askPin({ scheme: server.scheme.id, triesLeft })
    if (pin === null) throw new Cancelled()
    const answer = await logIn(server, pin)
    if (answer.status === 'blocked') throw blocked(server.scheme.id, answer.waitSec)
    if (answer.status === 'wrong-pin') triesLeft = answer.triesLeft
  }
}

function tokenOf({ scheme, deps }: KeyshareServer): AuthenticationToken | null {
  const token = deps.wallet.tokens.get(scheme.id)
  return token && token.expiresAtSec >= nowSecOf(deps) + MIN_TOKEN_SEC ? token : null
}

export function blocked(scheme: SchemeId, blockedSec: number): SessionFailure {
  const message = `the keyshare server of ${scheme} takes no PIN for ${blockedSec} s`
  return new SessionFailure('pin-blocked', message, { blockedSec })
}

/** Again, from the beginning, while the server answers that it has nothing to go on from. */
export async function inRounds<Value>(round: () => Promise<Value>): Promise<Value> {
  for (let rounds = 1; ; rounds++) {
    try {
      return await round()
    } catch (error) {
      if (statusOf(error) !== CONFLICT || rounds === MAX_ROUNDS) throw error
    }
  }
}

/** The HTTP status that a keyshare server answered; undefined: something else failed. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof SessionFailure ? error.facts.remote?.status : undefined
}

function nowSecOf({ clock }: KeyshareDeps): number {
  return Math.floor(clock.wallNow() / 1000)
}
