/** POST /session (spec 4.1, 2.2): a session request becomes a session. The steps are those of spec/session-server.md 6.1, in its order.
 *  @module */
import { newSession } from '../../actors/new-session.ts'
import { InvalidRequest, Unavailable } from '../../protocol/errors.ts'
import { type ExtendedRequest, parseSessionRequestText } from '../../protocol/request.ts'
import { sessionPackage } from '../../protocol/session-package.ts'
import { acceptRequest } from '../../sessions/accept-request.ts'
import type { Requestor } from '../../sessions/permissions.ts'
import { answerJson } from '../answer.ts'
import type { Endpoint, ServerDeps } from '../deps.ts'
import { within } from '../limit-time.ts'
import { readBody, textOf } from '../read-body.ts'
import { authenticate } from '../requestor-auth.ts'

/** It is read again at every call of its session, and wallet apps read no longer answers. */
const MAX_REQUEST_CHARACTERS = 2 ** 20

type Deps = Pick<ServerDeps, 'sessions' | 'schemes' | 'settings' | 'random' | 'clock' | 'isOverloaded'>

export function create(deps: Deps): Endpoint {
  const { sessions, settings, clock } = deps
  return async ctx => {
    const text = textOf(await readBody(ctx, deps, InvalidRequest), InvalidRequest)
    const requestor = authenticate(ctx, text, settings)
    const extended = accept(text, requestor, deps)
    if (deps.isOverloaded()) throw new Unavailable('too many proofs are waiting to be checked')
    const session = newSession(extended, requestor.name, settings, deps.random)
    await within(clock, settings.limits.handlingMs, 'starting the session', sessions.open(session))
    answerJson(ctx, sessionPackage(extended, { ...session.columns, ...settings }))
  }
}

/** @throws {InvalidRequest}
 *  @throws {Unauthorized}
 *  @throws {Unsupported} */
function accept(text: string, requestor: Requestor, { schemes, settings, clock }: Deps): ExtendedRequest {
  if (text.length > MAX_REQUEST_CHARACTERS)
    throw new InvalidRequest(
      `session request: expected at most ${MAX_REQUEST_CHARACTERS} characters, got ${text.length}`,
    )
  return acceptRequest(parseSessionRequestText(text, settings.profile), requestor, {
    schemes,
    profile: settings.profile,
    globals: settings.permissions,
    urlHost: new URL(settings.url).host,
    augmentAllowed: settings.augmentClientReturnUrl,
    mayPostResults: settings.resultSigner !== null || settings.allowUnsignedCallbacks,
    nowSec: Math.floor(clock.now() / 1000),
  })
}
