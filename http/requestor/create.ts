/** POST /session (spec 4.1, 2.2): a session request becomes a session. The steps are those of spec/session-server.md 6.1, in its order.
 *  @module */
import { newSession } from '../../actors/new-session.ts'
import { InvalidRequest, Unavailable, Unsupported } from '../../protocol/errors.ts'
import { type ExtendedRequest, parseSessionRequestText } from '../../protocol/request.ts'
import { sessionPackage } from '../../protocol/session-package.ts'
import { checkPermissions, type Requestor } from '../../sessions/permissions.ts'
import { checkAgainstSchemes } from '../../sessions/prepare-request.ts'
import { answerJson } from '../answer.ts'
import type { Endpoint, ServerDeps } from '../deps.ts'
import { within } from '../limit-time.ts'
import { readBody, textOf } from '../read-body.ts'
import { authenticate } from '../requestor-auth.ts'
import type { ServerSettings } from '../settings.ts'

/** It is read again at every call of its session, and wallet apps read no longer answers. */
const MAX_REQUEST_CHARACTERS = 2 ** 20

type Deps = Pick<ServerDeps, 'sessions' | 'schemes' | 'settings' | 'random' | 'clock' | 'isOverloaded'>

export function create(deps: Deps): Endpoint {
  const { sessions, settings, clock } = deps
  return async ctx => {
    const text = textOf(await readBody(ctx, deps, InvalidRequest), InvalidRequest)
    const requestor = authenticate(ctx, text, settings)
    const extended = acceptRequest(text, requestor, deps)
    if (deps.isOverloaded()) throw new Unavailable('too many proofs are waiting to be checked')
    const session = newSession(extended, requestor.name, settings, deps.random)
    await within(clock, settings.limits.handlingMs, 'starting the session', sessions.open(session))
    answerJson(ctx, sessionPackage(extended, { ...session.columns, ...settings }))
  }
}

/** @throws {InvalidRequest}
 *  @throws {Unauthorized}
 *  @throws {Unsupported} */
function acceptRequest(text: string, requestor: Requestor, { schemes, settings }: Deps): ExtendedRequest {
  const { profile, permissions, augmentClientReturnUrl } = settings
  if (text.length > MAX_REQUEST_CHARACTERS)
    throw new InvalidRequest(
      `session request: expected at most ${MAX_REQUEST_CHARACTERS} characters, got ${text.length}`,
    )
  const extended = parseSessionRequestText(text, profile)
  checkPermissions(extended, requestor, { globals: permissions, urlHost: new URL(settings.url).host })
  checkFollowUps(extended, settings)
  checkAgainstSchemes(extended, schemes, { profile, augmentAllowed: augmentClientReturnUrl })
  return extended
}

/** There is no key to sign results with, so they leave as plain JSON where that is allowed, or not at all. */
function checkFollowUps({ callbackUrl, nextSession }: ExtendedRequest, settings: ServerSettings): void {
  const name = callbackUrl !== '' ? 'callbackUrl' : nextSession?.url ? 'nextSession' : null
  if (name === null || settings.allowUnsignedCallbacks) return
  throw new Unsupported(`${name}: expected none, because there is no JWT key to sign results with, got one`)
}
