/** Changes the PIN of a wallet at all its keyshare servers (spec/interface#5.4.4, spec/keyshare-server#10, #17.4). If one server fails, the change is undone at the
 *  others. An account where that fails too is not used any more. @module */

import type { SchemeId } from '../../../protocol/ids.ts'
import { type ActionOutcome, endingOf, SessionError } from '../failure.ts'
import { type PinAnswer, readPinAnswer } from './answers.ts'
import { openDevice } from './device.ts'
import { blocked, type KeyshareDeps, type KeyshareServer, logIn, serverOf } from './login.ts'
import { keyshareScheme, requireLength } from './register.ts'

/** Both PINs are secret. */
export type PinChange = { readonly oldPin: string; readonly newPin: string }

/** Changes the PIN at every server, after checking the old PIN at every server. */
export function changePin(deps: KeyshareDeps, { oldPin, newPin }: PinChange): Promise<ActionOutcome> {
  return endingOf(async () => {
    requireLength(newPin)
    const accounts = deps.wallet.accounts().filter(({ isOutOfSync }) => !isOutOfSync)
    if (accounts.length === 0)
      throw new SessionError('not-registered', 'this wallet has no account with a PIN: register first')
    const servers = accounts.map(account => serverOf(keyshareScheme(deps, account.scheme), account, deps))
    for (const server of servers) requireSuccess(server, await logIn(server, oldPin))
    const changed: KeyshareServer[] = []
    try {
      for (const server of servers) {
        changed.push(server) // before the call: if its answer is lost, the PIN may have changed
        await change(server, oldPin, newPin)
      }
    } catch (error) {
      for (const server of changed) await undo(server, { oldPin, newPin })
      throw error
    }
  })
}

async function change(server: KeyshareServer, oldPin: string, newPin: string): Promise<void> {
  const { scheme, account, calls, deps } = server
  const device = await openDevice(deps.wallet.dir, scheme.id)
  const claims = { id: account.userName, oldpin: device.pinValue(oldPin), newpin: device.pinValue(newPin) }
  const change_pin_jwt = device.jwt(claims)
  deps.wallet.tokens.delete(scheme.id)
  const answer = await calls.post('/users/change/pin', { id: '', oldpin: '', newpin: '', change_pin_jwt })
  requireSuccess(server, readPinAnswer(answer))
  requireSuccess(server, await logIn(server, newPin))
}

/** Restores the old PIN, unless it is still valid. */
async function undo(server: KeyshareServer, { oldPin, newPin }: PinChange): Promise<void> {
  const { deps, scheme } = server
  try {
    if ((await logIn(server, oldPin)).status !== 'success') await change(server, newPin, oldPin)
  } catch (error) {
    if (!(error instanceof SessionError)) throw error
    await deps.wallet.setOutOfSync(scheme.id, true)
  }
}

/** @throws {SessionError} `wrong-pin`, `pin-blocked` */
function requireSuccess({ scheme }: KeyshareServer, answer: PinAnswer): void {
  if (answer.status === 'blocked') throw blocked(scheme.id, answer.waitSec)
  if (answer.status === 'wrong-pin') throw wrongPin(scheme.id, answer.triesLeft)
}

function wrongPin(scheme: SchemeId, triesLeft: number): SessionError {
  const message = `the PIN is wrong; tries left until the keyshare server of ${scheme} blocks the account: ${triesLeft}`
  return new SessionError('wrong-pin', message, { triesLeft })
}
