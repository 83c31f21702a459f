/** POST /users/verify/pin_challengeresponse (spec/interface#4.5; spec/keyshare-server#6.3, spec/decisions#k11) and POST /users/verify/pin (spec/interface#9.5;
 *  spec/keyshare-server#6.5), the login of the previous protocol: the answer to a right PIN is an authentication JWT. @module */

import type { AccountSecrets } from '../../accounts/secrets.ts'
import { signAuthentication } from '../../accounts/server-jwts.ts'
import { type PinAttempt, type PinOutcome, tryPin } from '../../actors/accounts/try-pin.ts'
import { isSameBytes } from '../../crypto/bytes.ts'
import { InvalidRequestError, MissingChallengeError } from '../../protocol/errors.ts'
import { loginSucceeded, type PathSpelling, pinRefused } from '../../protocol/keyshare/answers.ts'
import { readChallenge, readPin } from '../../protocol/keyshare/claims.ts'
import { parseLogin, parsePlainLogin } from '../../protocol/keyshare/signed-bodies.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { answerJson } from '../answer.ts'
import { textOf } from '../read-body.ts'
import { known } from './callers.ts'
import type { KeyshareDeps, KeyshareEndpoint } from './deps.ts'
import { nowSec, requireDevice, signedByDevice } from './device.ts'
import { unsignedAttempt } from './unsigned.ts'

export function verifyPinWithChallenge(deps: KeyshareDeps, spelling: PathSpelling): KeyshareEndpoint<null> {
  return async (ctx, _caller, body) => {
    const jwt = parseLogin(textOf(body, InvalidRequestError))
    const { device, claims } = await signedByDevice(jwt, deps)
    const challenge = readChallenge(claims)
    const outcome = await tryPin(deps, device.accountId, {
      ...login(readPin(claims)),
      refused: () => new MissingChallengeError('missing challenge'),
      reserves({ row, secrets }) {
        requireDevice(secrets(), device)
        const isRightChallenge = row.challenge !== null && isSameBytes(row.challenge, challenge)
        return { type: 'app.answered', isRightChallenge }
      },
    })
    answerJson(ctx, loginAnswer(outcome, spelling, deps))
  }
}

export function verifyPin(deps: KeyshareDeps, spelling: PathSpelling): KeyshareEndpoint<null> {
  return async (ctx, _caller, body) => {
    const { userName, pin } = parsePlainLogin(textOf(body, InvalidRequestError))
    const { id } = known(await deps.accounts.read(hashOfToken(userName)))
    const outcome = await tryPin(deps, id, { ...login(pin), ...unsignedAttempt })
    answerJson(ctx, loginAnswer(outcome, spelling, deps))
  }
}

/** The common part of both kinds of login. */
function login(pin: string): Pick<PinAttempt, 'pin' | 'accepts' | 'isLogged'> {
  return { pin, isLogged: true, accepts: attempt => ({ event: { type: 'server.acceptedPin', attempt } }) }
}

/** The answer to a login of either kind. */
export function loginAnswer(
  outcome: PinOutcome,
  spelling: PathSpelling,
  deps: Pick<KeyshareDeps, 'settings' | 'clock'>,
): object {
  if (!outcome.isRight) return pinRefused(outcome.refusal)
  return loginSucceeded(authenticationJwt(outcome.secrets, deps), spelling)
}

function authenticationJwt(
  { tokenId }: AccountSecrets,
  { settings, clock }: Pick<KeyshareDeps, 'settings' | 'clock'>,
): string {
  const times = { nowSec: nowSec({ clock }), validitySec: settings.jwtValiditySec }
  return signAuthentication(tokenId, times, settings.signer)
}
