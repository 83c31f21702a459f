/** GET /session/{requestorToken}/result (spec/interface#4.1, #2.8): the result of the session so far, of a failed one too. @module */
import { profileOf } from '../../sessions/profile-of.ts'
import { sessionResult } from '../../sessions/result.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { answerJson } from '../answer.ts'
import type { ServerDeps, SessionEndpoint } from '../deps.ts'
import type { EventStreams } from '../event-stream.ts'
import type { ServerSettings } from '../settings.ts'

export function result(
  { settings }: Pick<ServerDeps, 'settings'>,
  streams: Pick<EventStreams, 'noteAnswer'>,
): SessionEndpoint {
  return (ctx, row) => {
    answerJson(ctx, resultOf(row, settings))
    streams.noteAnswer(ctx, 'requestor', row)
  }
}

/** The current session result. Parts that do not exist yet are left out. */
export function resultOf(row: SessionRow, settings: ServerSettings): object {
  const { request, isLegacy } = row.request.value
  return sessionResult({
    requestorToken: row.requestorToken,
    status: row.status,
    type: request.type,
    outcome: row.result?.value ?? null,
    profile: profileOf(row, settings),
    isLegacy,
  })
}
