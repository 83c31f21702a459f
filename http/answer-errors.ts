/** Every failure becomes a remote error object (spec 7, D1): 404, 405 and 503 too. What is not a remote error is a bug of ours: 500
 *  `INTERNAL_ERROR` without a word on what happened, and an error in the log. @module */
import type { Middleware } from 'koa'
import { errorAnswer } from '../actors/stored-answer.ts'
import { InternalError, RemoteError, Unavailable } from '../protocol/errors.ts'
import { answerStored } from './answer.ts'
import type { ServerDeps } from './deps.ts'

export function answerErrors({ settings, log }: Pick<ServerDeps, 'settings' | 'log'>): Middleware {
  return async function answeringErrors(ctx, next) {
    try {
      await next()
    } catch (error) {
      const remote = asRemoteError(error)
      if (remote !== error) log.error({ err: error }, 'unexpected failure')
      if (remote instanceof Unavailable) ctx.set('Retry-After', String(settings.limits.retryAfterSec))
      answerStored(ctx, errorAnswer(remote, settings.verbosity > 0))
    }
  }
}

function asRemoteError(error: unknown): RemoteError {
  return error instanceof RemoteError ? error : new InternalError('', { cause: error })
}
