/** GET /health: whether the process answers. GET /health/ready: whether this node should get calls. @module */
import type { Context } from 'koa'
import { remoteErrorObject, UnavailableError } from '../protocol/errors.ts'
import { jsonAnswer, type StoredAnswer } from '../sessions/stored-answer.ts'
import { answerStored } from './answer.ts'
import type { HttpDeps, ServerDeps } from './deps.ts'
import type { NodeState } from './readiness.ts'
import { noteError } from './request-facts.ts'

export function health(ctx: Context): void {
  answerStored(ctx, { status: 200, contentType: 'text/plain', body: 'OK' })
}

/** Any caller may ask, so the answer names no scheme and no issuer (spec/decisions#readiness). */
export function ready({ readiness, settings }: Pick<HttpDeps, 'settings'> & Pick<ServerDeps, 'readiness'>) {
  return async (ctx: Context): Promise<void> => {
    const { reasons, warnings } = await readiness.now()
    const { answer, error } = readyAnswer({ reasons, warnings })
    ctx.set('Cache-Control', 'no-store')
    if (error) {
      ctx.set('Retry-After', String(settings.limits.retryAfterSec))
      noteError(ctx, error.type)
    }
    answerStored(ctx, answer)
  }
}

type Shown = Pick<NodeState, 'reasons' | 'warnings'>

/** A failure is a remote error here too (spec/decisions#d1), beside the reasons. */
export function readyAnswer(state: Shown): {
  readonly answer: StoredAnswer
  readonly error: UnavailableError | null
} {
  const names = Object.keys(state.reasons)
  if (names.length === 0) return { answer: jsonAnswer({ ready: true, ...state }), error: null }
  const error = new UnavailableError(`this node is not ready: ${names.join(', ')}`)
  const body = { ...remoteErrorObject(error), ready: false, ...state }
  return { answer: jsonAnswer(body, error.status), error }
}
