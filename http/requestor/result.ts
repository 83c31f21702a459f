/** GET /session/{requestorToken}/result (spec/interface#4.1, #2.8): the result of the session so far, of a failed one too. @module */
import { profileOf } from '../../sessions/profile-of.ts'
import { sessionResult } from '../../sessions/result.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { answerJson } from '../answer.ts'
import type { ServerDeps, SessionEndpoint } from '../deps.ts'
import type { EventStreams } from '../event-stream.ts'
import { tokenOf } from '../find-session.ts'
import type { ServerSettings } from '../settings.ts'

export function result(
  { settings }: Pick<ServerDeps, 'settings'>,
  streams: Pick<EventStreams, 'noteAnswer'>,
): SessionEndpoint {
  return (ctx, row) => {
    answerJson(ctx, resultOf(row, tokenOf(ctx.params.requestorToken), settings))
    streams.noteAnswer(ctx, 'requestor', row)
  }
}

/** The current session result. Parts that do not exist yet are left out.
 *  @param requestorToken as the caller named it: the store has only its hash */
export function resultOf(row: SessionRow, requestorToken: string, settings: ServerSettings): object {
  const { request, isLegacy } = row.request.value
  return sessionResult({
    requestorToken,
    status: row.status,
    type: request.type,
    outcome: row.result?.value ?? null,
    profile: profileOf(row, settings),
    isLegacy,
  })
}
