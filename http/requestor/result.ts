/** GET /session/{requestorToken}/result (spec 4.1, 2.8): what came of the session so far, a failed one too. @module */
import { restoreRequest } from '../../protocol/request.ts'
import { restoreOutcome, sessionResult } from '../../sessions/result.ts'
import { answerJson } from '../answer.ts'
import type { ServerDeps, SessionEndpoint } from '../deps.ts'
import { profileOf } from '../session-facts.ts'

export function result({ settings }: Pick<ServerDeps, 'settings'>): SessionEndpoint {
  return (ctx, row) => {
    const { request, isLegacy } = restoreRequest(row.request)
    const body = sessionResult({
      requestorToken: row.requestorToken,
      status: row.status,
      type: request.type,
      outcome: row.result === null ? null : restoreOutcome(row.result),
      profile: profileOf(row, settings),
      isLegacy,
    })
    answerJson(ctx, body)
  }
}
