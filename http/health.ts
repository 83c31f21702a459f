/** GET /health: whether the process answers. GET /health/ready: whether this node should get calls. @module */
import type { Context } from 'koa'
import { remoteErrorObject, UnavailableError } from '../protocol/errors.ts'
import { jsonAnswer } from '../sessions/stored-answer.ts'
import { answerStored } from './answer.ts'
import type { HttpDeps, ServerDeps } from './deps.ts'
import { noteError } from './request-facts.ts'

export function health(ctx: Context): void {
  answerStored(ctx, { status: 200, contentType: 'text/plain', body: 'OK' })
}

/** A failure is a remote error here too (spec/decisions#d1), beside the reasons. */
export function ready({ readiness, settings }: Pick<HttpDeps, 'settings'> & Pick<ServerDeps, 'readiness'>) {
  return async (ctx: Context): Promise<void> => {
    const state = await readiness.now()
    const names = Object.keys(state.reasons)
    ctx.set('Cache-Control', 'no-store')
    if (names.length === 0) return answerStored(ctx, jsonAnswer({ ready: true, ...state }))
    const error = new UnavailableError(`this node is not ready: ${names.join(', ')}`)
    ctx.set('Retry-After', String(settings.limits.retryAfterSec))
    noteError(ctx, error.type)
    answerStored(ctx, jsonAnswer({ ...remoteErrorObject(error), ready: false, ...state }, error.status))
  }
}
