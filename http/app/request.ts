/** GET {prefix}/session/{clientToken}/request (spec/interface#4.3): the session request, for an app that had to wait for pairing. An app that did not identify
 *  itself gets it once (spec/decisions#d27). @module */
import { isUnboundAfterPairing } from '../../actors/calls/unbound-app.ts'
import { protocolVersionOf } from '../../machines/session-snapshot.ts'
import { UnexpectedRequestError } from '../../protocol/errors.ts'
import { hasPairing } from '../../protocol/server-versions.ts'
import { sessionRequestForApp } from '../../protocol/session-request-for-app.ts'
import { type ProtocolVersion, parseVersion } from '../../protocol/versions.ts'
import { jsonAnswer } from '../../sessions/stored-answer.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { SessionEndpoint } from '../deps.ts'
import { type AppDeps, answerCall, requestFacts, requireConnectedApp } from './call.ts'

export function request(deps: AppDeps): SessionEndpoint {
  return (ctx, session) =>
    answerCall(ctx, session, deps, {
      allow(row, can) {
        requireConnectedApp(ctx, row, can)
        versionWithPairing(row)
      },
      handle(row) {
        const facts = requestFacts(row, versionWithPairing(row), deps.settings)
        const body = sessionRequestForApp(row.request.value, facts)
        const type = isUnboundAfterPairing(row) ? 'app.fetchedOnce' : 'app.fetched'
        return { event: { type }, answer: jsonAnswer(body) }
      },
    })
}

/** @throws {UnexpectedRequestError} for an app that speaks a version without this endpoint (spec/decisions#d14) */
function versionWithPairing(row: SessionRow): ProtocolVersion {
  const version = parseVersion(protocolVersionOf(row.snapshot))
  if (!hasPairing(version))
    throw new UnexpectedRequestError(
      `request: expected protocol version 2.8, got ${protocolVersionOf(row.snapshot)}`,
    )
  return version
}
