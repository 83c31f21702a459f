/** POST /session (spec 4.1, 2.2): a session request becomes a session. The steps are those of spec/session-server.md 6.1, in its order.
 *  @module */
import { newSession } from '../../actors/kinds/new-session.ts'
import { Unavailable } from '../../protocol/errors.ts'
import { sessionPackage } from '../../protocol/session-package.ts'
import { acceptFacts } from '../../sessions/accept-facts.ts'
import { acceptRequest } from '../../sessions/accept-request.ts'
import { answerJson } from '../answer.ts'
import type { Endpoint, ServerDeps } from '../deps.ts'
import { within } from '../limit-time.ts'
import { authenticate, SESSION_REQUEST } from '../requestor-auth.ts'

type Deps = Pick<
  ServerDeps,
  | 'sessions'
  | 'schemes'
  | 'settings'
  | 'random'
  | 'clock'
  | 'revocation'
  | 'isOverloaded'
  | 'noteUnknownMembers'
>

export function create(deps: Deps): Endpoint {
  const { sessions, settings, clock, random } = deps
  return async ctx => {
    const { requestor, asked } = await authenticate(ctx, deps, SESSION_REQUEST)
    deps.noteUnknownMembers(requestor.name, asked.unknown)
    const extended = acceptRequest(asked.extended, requestor, acceptFacts(deps, settings.profile))
    if (deps.isOverloaded()) throw new Unavailable('too many proofs are waiting to be checked')
    const session = newSession(extended, requestor.name, settings, random)
    await within(clock, settings.limits.handlingMs, 'starting the session', sessions.open(session))
    answerJson(ctx, sessionPackage(extended, { ...session.columns, ...settings }))
  }
}
