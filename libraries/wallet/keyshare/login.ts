/** Login at a keyshare server (spec/interface#5.4.2, spec/keyshare-server#6.4). It asks for the PIN until it is right or no try is left. The token is kept in memory for
 *  later sessions. @module */

import type { SchemeId } from '../../../protocol/ids.ts'
import type { Scheme } from '../../../schemes/types.ts'
import { CancelledError, SessionError } from '../failure.ts'
import type { NamedServerDeps } from '../named-servers.ts'
import type { Wallet } from '../wallet.ts'
import type { AuthenticationToken, KeyshareAccount } from './account.ts'
import { MIN_TOKEN_SEC, type PinAnswer, readChallengeAnswer, readPinAnswer, readToken } from './answers.ts'
import { type Authentication, type KeyshareCalls, keyshareCalls } from './calls.ts'
import { openDevice } from './device.ts'

/** Validity of the JWT that starts a login: long enough for all rounds. */
const START_SEC = 180
/** Maximum number of rounds of a login or a proof. A round is repeated if the server lost the challenge or commitment. */
const MAX_ROUNDS = 3
const CONFLICT = 409

export type PinQuestion = {
  /** scheme whose keyshare server checks the PIN */
  readonly scheme: SchemeId
  /** tries left after a wrong PIN; null: first question */
  readonly triesLeft: number | null
}

/** Asks the user for the PIN, which is secret. Null: the user aborted. */
export type AskPin = (question: PinQuestion) => Promise<string | null>

export type KeyshareDeps = Omit<NamedServerDeps, 'developerMode'> & { readonly wallet: Wallet }

/** A keyshare server, and the wallet's account at it. */
export type KeyshareServer = {
  readonly scheme: Scheme
  readonly account: KeyshareAccount
  readonly calls: KeyshareCalls
  readonly deps: KeyshareDeps
}

/** @throws {SessionError} `pin-out-of-sync` for an account that is out of use; `insecure` */
export function serverOf(scheme: Scheme, account: KeyshareAccount, deps: KeyshareDeps): KeyshareServer {
  if (account.isOutOfSync)
    throw new SessionError(
      'pin-out-of-sync',
      `the PIN of the account of ${scheme.id} is not the one of the others: this account is not used`,
    )
  const { developerMode } = deps.wallet
  return { scheme, account, deps, calls: keyshareCalls(scheme, { ...deps, developerMode }) }
}

/** Sends the PIN to the server.
 *  @returns whether it was right, wrong, or not compared
 *  @throws {SessionError} {CancelledError} */
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

/** Returns the stored token, or asks for the PIN and gets a new one.
 *  @throws {SessionError} `pin-blocked`, and as every call
 *  @throws {CancelledError} if the user aborts */
export async function authenticate(server: KeyshareServer, askPin: AskPin): Promise<Authentication> {
  const { account } = server
  let triesLeft: number | null = null
  for (;;) {
    const token = tokenOf(server)
    if (token) return { account, token }
    const pin = await askPin({ scheme: server.scheme.id, triesLeft })
    if (pin === null) throw new CancelledError()
    const answer = await logIn(server, pin)
    if (answer.status === 'blocked') throw blocked(server.scheme.id, answer.waitSec)
    if (answer.status === 'wrong-pin') triesLeft = answer.triesLeft
  }
}

function tokenOf({ scheme, deps }: KeyshareServer): AuthenticationToken | null {
  const token = deps.wallet.tokens.get(scheme.id)
  return token && token.expiresAtSec >= nowSecOf(deps) + MIN_TOKEN_SEC ? token : null
}

export function blocked(scheme: SchemeId, blockedSec: number): SessionError {
  const message = `the keyshare server of ${scheme} takes no PIN for ${blockedSec} s`
  return new SessionError('pin-blocked', message, { blockedSec })
}

/** Repeats the whole round while the server answers that it lost the challenge or commitment. */
export async function inRounds<Value>(round: () => Promise<Value>): Promise<Value> {
  for (let rounds = 1; ; rounds++) {
    try {
      return await round()
    } catch (error) {
      if (statusOf(error) !== CONFLICT || rounds === MAX_ROUNDS) throw error
    }
  }
}

/** The HTTP status of a keyshare server's error; undefined for any other error. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof SessionError ? error.facts.remote?.status : undefined
}

function nowSecOf({ clock }: KeyshareDeps): number {
  return Math.floor(clock.wallNow() / 1000)
}
