/** POST {prefix}/session/{name} (spec/session-server#16): a wallet app starts a session that is configured under this name, for example
 *  from a printed QR code, and continues with its pointer. The body is not read. The result is sent only to the callback or the next session, because no caller gets the tokens
 *  of requestor and frontend. @module */
import { InvalidRequestError, MalformedInputError, RemoteError } from '../../protocol/errors.ts'
import type { ExtendedRequest } from '../../protocol/request.ts'
import { acceptFacts } from '../../sessions/accept-facts.ts'
import { acceptOwnRequest } from '../../sessions/accept-request.ts'
import { answerJson } from '../answer.ts'
import type { Endpoint, ServerDeps } from '../deps.ts'
import { openOwnSession, requireRoom } from '../session/open-own.ts'

type Deps = Pick<
  ServerDeps,
  'sessions' | 'schemes' | 'settings' | 'random' | 'clock' | 'revocation' | 'isOverloaded'
>

export function startStatic(deps: Deps): Endpoint {
  return async ctx => {
    const configured = deps.settings.staticSessions.get(String(ctx.params.clientToken))
    if (!configured) throw new InvalidRequestError('unknown static session')
    requireRoom(deps)
    answerJson(ctx, await openOwnSession(accepted(configured, deps), deps))
  }
}

/** Accepts the configured request. The app cannot correct a request that is refused.
 *  @throws {MalformedInputError} */
function accepted(configured: ExtendedRequest, deps: Deps): ExtendedRequest {
  try {
    return acceptOwnRequest(configured, acceptFacts(deps, deps.settings.profile))
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    throw new MalformedInputError(error.message, { cause: error })
  }
}
