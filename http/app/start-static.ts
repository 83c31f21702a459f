/** POST {prefix}/session/{name} (spec/session-server.md 16): a wallet app starts a session that is configured under this name, as a printed QR code says,
 *  and goes on with its pointer. What the app sends is not read. The result leaves by the callback or the next session alone: nobody gets the tokens
 *  of requestor and frontend. @module */
import { newSession } from '../../actors/kinds/new-session.ts'
import { InvalidRequest, MalformedInput, RemoteError, Unavailable } from '../../protocol/errors.ts'
import type { ExtendedRequest } from '../../protocol/request.ts'
import { sessionPointer } from '../../protocol/session-package.ts'
import { acceptFacts } from '../../sessions/accept-facts.ts'
import { acceptOwnRequest } from '../../sessions/accept-request.ts'
import { answerJson } from '../answer.ts'
import type { Endpoint, ServerDeps } from '../deps.ts'

type Deps = Pick<
  ServerDeps,
  'sessions' | 'schemes' | 'settings' | 'random' | 'clock' | 'revocation' | 'isOverloaded'
>

/** The requestor of a static session, who has no name: of a chain, what follows is bound to the permissions of everybody. */
const NOBODY = ''

export function startStatic(deps: Deps): Endpoint {
  const { sessions, settings, random } = deps
  return async ctx => {
    const configured = settings.staticSessions.get(String(ctx.params.clientToken))
    if (!configured) throw new InvalidRequest('unknown static session')
    if (deps.isOverloaded()) throw new Unavailable('too many proofs are waiting to be checked')
    const extended = accepted(configured, deps)
    const session = newSession(extended, NOBODY, settings, random)
    await sessions.open(session)
    const { type, host } = extended.request
    answerJson(ctx, sessionPointer({ ...session.columns, ...settings, type, host }))
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
