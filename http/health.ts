/** GET /health: whether the process answers. @module */
import type { Context } from 'koa'
import { answerStored } from './answer.ts'

export function health(ctx: Context): void {
  answerStored(ctx, { status: 200, contentType: 'text/plain', body: 'OK' })
}
