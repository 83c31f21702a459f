/** POST /users/register_publickey (spec/keyshare-server#4.3): the device key of an account that was registered without one (spec/interface#9.5). The first
 *  registration is a login, too. A registered key is never replaced. A second registration is refused, also with the same key: the device logs in
 *  by a challenge from then on. @module */
import { selfSignedClaims } from '../../accounts/app-jwts.ts'
import type { AccountSecrets } from '../../accounts/secrets.ts'
import { tryPin } from '../../actors/accounts/try-pin.ts'
import { isSameBytes } from '../../crypto/bytes.ts'
import { InternalError, InvalidRequestError } from '../../protocol/errors.ts'
import type { PathSpelling } from '../../protocol/keyshare/answers.ts'
import { readPin, readUserName } from '../../protocol/keyshare/claims.ts'
import { parseKeyRegistration } from '../../protocol/keyshare/signed-bodies.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { answerJson } from '../answer.ts'
import { textOf } from '../read-body.ts'
import { known } from './callers.ts'
import type { KeyshareDeps, KeyshareEndpoint } from './deps.ts'
import { nowSec } from './device.ts'
import { unsignedAttempt } from './unsigned.ts'
import { loginAnswer } from './verify-pin.ts'

export function registerPublicKey(deps: KeyshareDeps, spelling: PathSpelling): KeyshareEndpoint<null> {
  return async (ctx, _caller, body) => {
    const jwt = parseKeyRegistration(textOf(body, InvalidRequestError))
    const { claims, deviceKey } = selfSignedClaims(jwt, nowSec(deps))
    const { id } = known(await deps.accounts.read(hashOfToken(readUserName(claims))))
    let isRepeated = false
    const outcome = await tryPin(deps, id, {
      pin: readPin(claims),
      isLogged: false,
      refused: unsignedAttempt.refused,
      reserves: ({ secrets }) => ({
        type: 'app.sentPin',
        isSignedByDevice: isRegistered(deviceKey, secrets()),
      }),
      accepts(attempt, secrets) {
        isRepeated = isRegistered(deviceKey, secrets)
        return isRepeated
          ? { event: { type: 'server.acceptedPin', attempt } }
          : { event: { type: 'server.registeredKey', attempt }, secrets: { ...secrets, deviceKey } }
      },
    })
    if (isRepeated) throw alreadyRegistered()
    answerJson(ctx, loginAnswer(outcome, spelling, deps))
  }
}

/** @throws {InternalError} for an account with another key. It is the same for a right and a wrong PIN, so that it does not reveal which one the caller sent */
function isRegistered(key: Uint8Array, { deviceKey }: AccountSecrets): boolean {
  if (deviceKey === null) return false
  if (isSameBytes(deviceKey, key)) return true
  throw alreadyRegistered()
}

/** The error that existing servers answer. */
function alreadyRegistered(): InternalError {
  return new InternalError('user already has public key: expected an account without one; log in instead')
}
