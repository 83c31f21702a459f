/** Every failure becomes a remote error object (spec/interface#7, spec/decisions#d1): 404, 405 and 503 too, in the form of their route. A failure of the store has
 *  its own class and becomes 503, because a retry may succeed. Any other error is a bug of ours: 500 `INTERNAL_ERROR` without details, and an error in the log. @module */
import type { Context, Middleware } from 'koa'
import {
  bare,
  InternalError,
  MethodNotAllowedError,
  NoRoomForBodyError,
  NotFoundError,
  RemoteError,
  remoteErrorObject,
  TooManyRequestsError,
  UnavailableError,
} from '../protocol/errors.ts'
import { errorAnswer } from '../sessions/stored-answer.ts'
import { StoreError } from '../stores/store-error.ts'
import { answerStored } from './answer.ts'
import type { HttpDeps } from './deps.ts'
import { noteError, pathOf, traceFields, traceOf } from './request-facts.ts'
import { answerCborError } from './revocation/answer.ts'
import { closeAfterAnswer } from './unread-body.ts'

export type ErrorForm = 'json' | 'cbor'

/** Answers with an error page, for routes that show errors to a person. */
export type AnswerError = (ctx: Context, error: RemoteError) => void

/** Turns errors thrown by the inner layers into answers of one form. */
export function answerErrors(
  deps: Pick<HttpDeps, 'settings' | 'log' | 'clock'>,
  form: ErrorForm | AnswerError = 'json',
): Middleware {
  const { settings, log } = deps
  return async function answeringErrors(ctx, next) {
    try {
      await next()
    } catch (error) {
      const thrown = asRemoteError(error)
      const remote = asSaid(ctx, thrown, settings)
      if (thrown !== error && !(error instanceof StoreError))
        log.error({ err: error, ...traceFields(traceOf(ctx)) }, 'unexpected failure')
      const retryAfterSec = secondsToWait(remote, settings.limits)
      if (retryAfterSec !== null) ctx.set('Retry-After', String(retryAfterSec))
      noteError(ctx, remote.type)
      if (thrown instanceof MethodNotAllowedError) ctx.set('Allow', thrown.allowed.join(', '))
      const isVerbose = settings.verbosity > 0
      if (typeof form === 'function') form(ctx, remote)
      else if (form === 'cbor') answerCborError(ctx, remoteErrorObject(remote, isVerbose))
      else answerStored(ctx, errorAnswer(remote, isVerbose, settings.profile.errorDescriptions))
      // after a body that did not arrive in time, the answer does not wait for the rest of it again
      const isLate = remote instanceof UnavailableError && !(remote instanceof NoRoomForBodyError)
      if (!ctx.req.complete && !isLate) closeAfterAnswer(ctx, deps)
    }
  }
}

/** Existing software answers 404 and 405 below the prefix without a description. */
function asSaid(ctx: Context, error: RemoteError, { profile, apiPrefix = '' }: HttpDeps['settings']) {
  const isOfPath = error instanceof NotFoundError || error instanceof MethodNotAllowedError
  const isBare = isOfPath && profile.unknownPath === 'bare'
  return isBare && pathOf(ctx)?.startsWith(`${apiPrefix}${profile.prefix}/`) ? bare(error) : error
}

/** @returns null: the answer gets no `Retry-After` */
function secondsToWait(error: RemoteError, { retryAfterSec }: HttpDeps['settings']['limits']): number | null {
  if (error instanceof UnavailableError) return retryAfterSec
  if (!(error instanceof TooManyRequestsError) || error.waitMs === null) return null
  return Math.ceil(error.waitMs / 1_000)
}

function asRemoteError(error: unknown): RemoteError {
  if (error instanceof RemoteError) return error
  if (error instanceof StoreError) return new UnavailableError('the store is not available', { cause: error })
  return new InternalError('', { cause: error })
}
