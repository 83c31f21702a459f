/** GET {prefix}/session/{clientToken}/frontend/status (spec/interface#4.4, #2.10): with the pointer of the session that follows, once there is one. @module */
import { frontendStatus } from '../../protocol/frontend-messages.ts'
import { answerJson } from '../answer.ts'
import type { ServerDeps, SessionEndpoint } from '../deps.ts'
import type { EventStreams } from '../event-stream.ts'
import { nextPointerOf } from '../session-facts.ts'

export function status(
  { settings }: Pick<ServerDeps, 'settings'>,
  streams: Pick<EventStreams, 'noteAnswer'>,
): SessionEndpoint {
  return (ctx, row) => {
    answerJson(ctx, frontendStatus(row.status, nextPointerOf(row, settings)))
    streams.noteAnswer(ctx, 'frontend', row)
  }
}
