/** GET {prefix}/session/{clientToken} (spec/interface#4.3): the app's first call. It chooses the protocol version and binds the session to
 *  this app if the app identifies itself (spec/decisions#d15). It returns the session request, or with pairing the code to show. @module */
import type { Context } from 'koa'
import { updatesToSend } from '../../actors/revocation/updates-to-send.ts'
import type { Step } from '../../actors/sessions.ts'
import { RemoteError, SessionUnauthorizedError, SessionUnknownError } from '../../protocol/errors.ts'
import type { Profile } from '../../protocol/profiles.ts'
import type { ExtendedRequest } from '../../protocol/request.ts'
import { NOTHING_SENT, type SentUpdates, storeSentUpdates } from '../../protocol/sent-updates.ts'
import { serverVersions } from '../../protocol/server-versions.ts'
import { clientSessionRequest } from '../../protocol/session-request-for-app.ts'
import {
  compareVersions,
  formatVersion,
  negotiate,
  type ProtocolVersion,
  parseVersion,
  parseVersionHeaders,
} from '../../protocol/versions.ts'
import { profileOf } from '../../sessions/profile-of.ts'
import { jsonAnswer } from '../../sessions/stored-answer.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { ServerDeps, SessionEndpoint } from '../deps.ts'
import { requireRoom } from '../session/open-own.ts'
import type { ServerSettings } from '../settings.ts'
import { type AppDeps, answerCall, requestFacts } from './call.ts'

/** The event for asking the chart if it allows a first call, before the protocol version is known. */
const FIRST_CALL = { type: 'app.connected', protocolVersion: '' } as const

type ConnectDeps = AppDeps & Pick<ServerDeps, 'revocation'>

export function connect(deps: ConnectDeps): SessionEndpoint {
  return async (ctx, session) => {
    // fetched before the turn, because a turn must not wait for other servers
    const updates = await updatesFor(session, deps)
    return answerCall(ctx, session, deps, {
      allow({ requestor }, can) {
        if (!can(FIRST_CALL)) throw new SessionUnknownError() // spec/decisions#d14
        requireRoom(deps, requestor)
      },
      handle: row => handleFirst(ctx, row, updates, deps.settings),
    })
  }
}

/** @returns the error if the updates are not available. That error cancels the session if this call is handled. */
async function updatesFor(
  session: SessionRow,
  { sessions, revocation }: ConnectDeps,
): Promise<SentUpdates | RemoteError> {
  const { request } = session.request.value
  if (request.nonRevocation.length === 0) return NOTHING_SENT
  if (!sessions.can(session, FIRST_CALL)) return NOTHING_SENT // the call will be refused, or gets its stored answer
  try {
    return await updatesToSend(request, revocation)
  } catch (error) {
    if (error instanceof RemoteError) return error
    throw error
  }
}

function handleFirst(
  ctx: Context,
  row: SessionRow,
  updates: SentUpdates | RemoteError,
  settings: ServerSettings,
): Step {
  const profile = profileOf(row, settings)
  const extended = row.request.value
  const version = chooseVersion(ctx, row, extended, settings)
  const authorization = authorizationOf(ctx, version, profile)
  if (updates instanceof RemoteError) throw updates
  const facts = { ...requestFacts(row, version, settings), sent: updates, pairingCode: row.pairingCode }
  return {
    event: { type: 'app.connected', protocolVersion: formatVersion(version) },
    columns: { clientAuthorization: authorization, sentUpdates: storeSentUpdates(updates) },
    answer: jsonAnswer(clientSessionRequest(extended, facts)),
  }
}

/** @throws {MalformedInputError}
 *  @throws {ProtocolVersionError} */
function chooseVersion(
  ctx: Context,
  row: SessionRow,
  extended: ExtendedRequest,
  settings: ServerSettings,
): ProtocolVersion {
  const { minVersionHeader, maxVersionHeader } = settings.profile
  const client = parseVersionHeaders(
    ctx.get(minVersionHeader) || undefined,
    ctx.get(maxVersionHeader) || undefined,
  )
  const floor = parseVersion(settings.minProtocolVersion)
  return negotiate({
    client,
    server: serverVersions(extended, { floor, isPairing: row.pairingCode !== null }),
  })
}

/** @returns the authorization that the app sent; null: none
 *  @throws {SessionUnauthorizedError} if it is required and missing (spec/decisions#d15) */
function authorizationOf(
  ctx: Context,
  version: ProtocolVersion,
  { authorizationFrom }: Profile,
): string | null {
  const authorization = ctx.get('Authorization')
  if (authorization !== '') return authorization
  if (authorizationFrom !== null && compareVersions(version, parseVersion(authorizationFrom)) >= 0)
    throw new SessionUnauthorizedError('No authorization header provided')
  return null
}
