/** GET {prefix}/session/{clientToken} (spec 4.3): the app's first call. It chooses the protocol version, binds the session to this app if the app
 *  says who it is (D15), and hands out the session request, or with pairing the code to show. @module */

import type { Context } from 'koa'
import { profileOf } from '../../actors/profile-of.ts'
import type { Step } from '../../actors/sessions.ts'
import { jsonAnswer } from '../../actors/stored-answer.ts'
import { SessionUnauthorized, Unavailable } from '../../protocol/errors.ts'
import type { Profile } from '../../protocol/profiles.ts'
import { type ExtendedRequest, restoreRequest } from '../../protocol/request.ts'
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
import type { SessionRow } from '../../stores/session-store.ts'
import type { SessionEndpoint } from '../deps.ts'
import type { ServerSettings } from '../settings.ts'
import { type AppDeps, answerCall, requestFacts, requireStatus } from './call.ts'

export function connect(deps: AppDeps): SessionEndpoint {
  return (ctx, session) =>
    answerCall(ctx, session, deps, {
      allow(row) {
        requireStatus(row, 'INITIALIZED')
        if (deps.isOverloaded()) throw new Unavailable('too many proofs are waiting to be checked')
      },
      handle: row => handleFirst(ctx, row, deps.settings),
    })
}

function handleFirst(ctx: Context, row: SessionRow, settings: ServerSettings): Step {
  const profile = profileOf(row, settings)
  const extended = restoreRequest(row.request)
  const version = chooseVersion(ctx, row, extended, settings)
  const authorization = authorizationOf(ctx, version, profile)
  const facts = requestFacts(row, version, settings)
  return {
    event: { type: 'app.connected', protocolVersion: formatVersion(version) },
    columns: { clientAuthorization: authorization },
    answer: jsonAnswer(clientSessionRequest(extended, { ...facts, pairingCode: row.pairingCode })),
  }
}

/** @throws {MalformedInput}
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

/** @returns what the app calls itself; null: nothing
 *  @throws {SessionUnauthorized} where it has to (D15) */
function authorizationOf(
  ctx: Context,
  version: ProtocolVersion,
  { authorizationFrom }: Profile,
): string | null {
  const authorization = ctx.get('Authorization')
  if (authorization !== '') return authorization
  if (authorizationFrom !== null && compareVersions(version, parseVersion(authorizationFrom)) >= 0)
    throw new SessionUnauthorized('No authorization header provided')
  return null
}
