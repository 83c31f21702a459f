/** POST {prefix}/session/{name} (spec/session-server#16): a wallet app starts a session that is configured under this name, as a printed QR code says,
 *  and goes on with its pointer. What the app sends is not read. The result leaves by the callback or the next session alone: nobody gets the tokens
 *  of requestor and frontend. @module */
import { InvalidRequest, MalformedInput, RemoteError } from '../../protocol/errors.ts'
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
    if (!configured) throw new InvalidRequest('unknown static session')
    requireRoom(deps)
    answerJson(ctx, await openOwnSession(accepted(configured, deps), deps))
  }
}

/** The app can do nothing about a request that does not start.
 *  @throws {MalformedInput} */
function accepted(configured: ExtendedRequest, deps: Deps): ExtendedRequest {
  try {
    return acceptOwnRequest(configured, acceptFacts(deps, deps.settings.profile))
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    throw new MalformedInput(error.message, { cause: error })
  }
}
