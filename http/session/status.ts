/** GET /session/{requestorToken}/status and {prefix}/session/{clientToken}/status (spec 4.1, 4.2): the status as a JSON string. @module */
import type { Context } from 'koa'
import type { SessionRow } from '../../stores/session-store.ts'
import { answerJson } from '../answer.ts'

export function status(ctx: Context, session: SessionRow): void {
  answerJson(ctx, session.status)
}
