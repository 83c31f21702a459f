/** POST /session (spec/interface#4.1, #2.2): a session request becomes a session. The steps are those of spec/session-server#6.1, in its order.
 *  @module */
import { newSession } from '../../actors/kinds/new-session.ts'
import { traceparentOf } from '../../ports/traces.ts'
import { sessionPackage } from '../../protocol/session-package.ts'
import { acceptFacts } from '../../sessions/accept-facts.ts'
import { acceptRequest } from '../../sessions/accept-request.ts'
import { acceptedByNewest } from '../../sessions/newest-schemes.ts'
import { answerJson } from '../answer.ts'
import type { RequestorEndpoint, ServerDeps } from '../deps.ts'
import { noteSession, traceOf } from '../request-facts.ts'
import { authenticate, SESSION_REQUEST } from '../requestor-auth.ts'
import { requireRoom } from '../session/open-own.ts'

type Deps = Pick<
  ServerDeps,
  | 'sessions'
  | 'schemes'
  | 'lookForSchemes'
  | 'settings'
  | 'random'
  | 'clock'
  | 'revocation'
  | 'isOverloaded'
  | 'noteUnknownMembers'
>

export function create(deps: Deps): RequestorEndpoint {
  const { sessions, settings, random } = deps
  return async (ctx, head, body) => {
    const { requestor, asked } = await authenticate(ctx, head, body, deps, SESSION_REQUEST)
    const trace = traceOf(ctx)
    deps.noteUnknownMembers(requestor.name, asked.unknown, trace.traceId)
    const accepted = await acceptedByNewest(
      () => acceptRequest(asked.extended, requestor, acceptFacts(deps, settings.profile)),
      deps.lookForSchemes,
    )
    requireRoom(deps, requestor.name)
    const extended = { ...accepted, traceparent: traceparentOf(trace) }
    const session = newSession(extended, requestor.name, settings, random)
    noteSession(ctx, await sessions.open(session))
    const { url, profile } = settings
    const { clientToken, requestorToken, frontendToken } = session.columns
    const facts = { clientToken, requestorToken, frontendToken, url, profile }
    answerJson(ctx, sessionPackage(extended, facts))
  }
}
