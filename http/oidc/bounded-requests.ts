/** Bounds on authorization requests and on pushed authorization requests, by the network address of the caller and in all (spec/decisions#logins-per-caller). Each
 *  request stores a record before any user is known. A browser gets a page, and a site gets the error of the protocol. @module */
import type Koa from 'koa'
import type { Context, Next } from 'koa'
import type { CallerBounds } from '../../actors/calls/caller-bounds.ts'
import type { BoundedRequest, SignInFigures } from '../../actors/metrics/sign-in-figures.ts'
import { type RemoteError, TooManyRequestsError } from '../../protocol/errors.ts'
import { type AnswerError, answerErrors } from '../answer-errors.ts'
import type { CallerNames } from '../caller-names.ts'
import type { HttpDeps } from '../deps.ts'
import { answerBusyPage } from './answer-page.ts'
import { rootOf } from './root.ts'
import type { OidcSettings } from './settings.ts'

export type BoundedDeps = Pick<HttpDeps, 'log' | 'clock'> & {
  readonly settings: OidcSettings
  readonly callerNames: CallerNames
  readonly bounds: Readonly<Record<BoundedRequest, CallerBounds>>
  /** left out: nothing is counted */
  readonly signIns?: Pick<SignInFigures, 'bounded'> | undefined
}

/** The router of the provider also accepts these paths with a slash at the end. The calls of a login that has begun have longer paths, and have no bound. */
const BOUNDED: readonly (readonly [path: RegExp, request: BoundedRequest])[] = [
  [/^\/authorize\/?$/, 'authorize'],
  [/^\/par\/?$/, 'par'],
]

export function boundRequests(app: Koa, deps: BoundedDeps): void {
  const root = rootOf(deps.settings)
  const toBrowser: AnswerError = (ctx, { status }) => answerBusyPage(ctx, { root, status })
  const answering = { authorize: answerErrors(deps, toBrowser), par: answerErrors(deps, answerSite) }
  app.use(async function boundedRequests(ctx: Context, next: Next) {
    const [, request] = BOUNDED.find(([path]) => path.test(ctx.path)) ?? []
    if (request === undefined) return next()
    let isWithin = false
    await answering[request](ctx, async () => {
      count(request, deps.callerNames.of(ctx), deps)
      isWithin = true
    })
    if (isWithin) await next()
  })
}

function count(request: BoundedRequest, caller: string, { bounds, signIns }: BoundedDeps): void {
  try {
    bounds[request].count(caller)
  } catch (error) {
    signIns?.bounded(request, error instanceof TooManyRequestsError ? 'caller' : 'all')
    throw error
  }
}

/** The form of RFC 6749, 5.2, which RFC 9126 uses too. */
function answerSite(ctx: Context, { status, message }: RemoteError): void {
  ctx.status = status
  ctx.body = { error: 'temporarily_unavailable', error_description: message }
}
