/** The sessions that issue the login credential (spec/keyshare-server#5), in the session server inside of a keyshare server. @module */
import { loginCredentialRequest } from '../../accounts/login-credential.ts'
import type { ServerDeps } from '../../http/deps.ts'
import type { KeyshareDeps } from '../../http/keyshare/deps.ts'
import { openOwnSession, requireRoom } from '../../http/session/open-own.ts'
import { ExceptionError, InvalidRequestError, UnsupportedError } from '../../protocol/errors.ts'
import type { AttributeTypeId } from '../../protocol/ids.ts'
import type { ExtendedRequest } from '../../protocol/request.ts'
import { acceptFacts } from '../../sessions/accept-facts.ts'
import { acceptOwnRequest } from '../../sessions/accept-request.ts'

type LoginSessionDeps = Pick<ServerDeps, 'clock' | 'settings' | 'schemes' | 'random' | 'isOverloaded'> & {
  readonly sessions: Pick<ServerDeps['sessions'], 'open' | 'requireRoom'>
  readonly revocation: Pick<ServerDeps['revocation'], 'canIssue'>
}

/** @param attribute of the login credential
 *  @param deps of the session server inside */
export function loginSessions(
  attribute: AttributeTypeId,
  deps: LoginSessionDeps,
): KeyshareDeps['prepareLoginSession'] {
  const { clock, settings, sessions } = deps
  return async (userName, isRenewal) => {
    requireRoom(deps)
    await sessions.requireRoom()
    const nowSec = Math.floor(clock.wallNow() / 1_000)
    const facts = { attribute, profile: settings.profile, nowSec, isRenewal }
    const extended = accepted(loginCredentialRequest(userName, facts), acceptFacts(deps, settings.profile))
    return { open: () => openOwnSession(extended, deps) }
  }
}

/** The user can do nothing about it: an issuer key that has expired, for instance.
 *  @throws {ExceptionError} */
function accepted(extended: ExtendedRequest, facts: ReturnType<typeof acceptFacts>): ExtendedRequest {
  try {
    return acceptOwnRequest(extended, facts)
  } catch (error) {
    if (!(error instanceof InvalidRequestError || error instanceof UnsupportedError)) throw error
    throw new ExceptionError(`login credential: ${error.message}`, { cause: error })
  }
}
