/** GET {prefix}/session/{clientToken}/frontend/status (spec 4.4, 2.10). @module */
import type { Context } from 'koa'
import { frontendStatus } from '../../protocol/frontend-messages.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { answerJson } from '../answer.ts'

export function status(ctx: Context, session: SessionRow): void {
  answerJson(ctx, frontendStatus(session.status))
}
