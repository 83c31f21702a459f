/** POST /users/verify_start (spec/interface#4.5; spec/keyshare-server#6.1): answers with a new challenge for the user's device. It replaces a pending one. @module */
import { checkLoginStart } from '../../accounts/app-jwts.ts'
import { InvalidRequestError } from '../../protocol/errors.ts'
import { loginChallenge } from '../../protocol/keyshare/answers.ts'
import { parseLoginStart } from '../../protocol/keyshare/signed-bodies.ts'
import { answerJson } from '../answer.ts'
import { textOf } from '../read-body.ts'
import type { KeyshareDeps, KeyshareEndpoint } from './deps.ts'
import { deviceNamedIn, nowSec, requireDevice } from './device.ts'
import { takenTurn } from './turn.ts'

const CHALLENGE_BYTES = 32

export function verifyStart(deps: KeyshareDeps): KeyshareEndpoint<null> {
  return async (ctx, _caller, body) => {
    const jwt = parseLoginStart(textOf(body, InvalidRequestError))
    const device = await deviceNamedIn(jwt, deps)
    checkLoginStart(jwt, device.key, nowSec(deps))
    const challenge = deps.random.bytes(CHALLENGE_BYTES)
    await takenTurn(deps, device.accountId, ({ secrets }) => {
      requireDevice(secrets(), device)
      return { event: { type: 'app.startedLogin' }, challenge }
    })
    answerJson(ctx, loginChallenge(challenge))
  }
}
