/** One line per request: method, pattern of the route, status, milliseconds. Never the path, which holds tokens, nor a header or a body
 *  (design, law 6). Refusals are warnings; an error is a bug of ours, and logged where it is met. @module */
import type { Context, Middleware } from 'koa'
import type { HttpDeps } from './deps.ts'

export function logRequests({ log, clock }: Pick<HttpDeps, 'log' | 'clock'>): Middleware {
  return async function logging(ctx, next) {
    const startedAt = clock.now()
    await next()
    const level = ctx.status >= 400 ? 'warn' : 'info'
    log[level](
      { method: ctx.method, route: routeOf(ctx), status: ctx.status, ms: clock.now() - startedAt },
      'request',
    )
  }
}

/** The pattern that the router matched, with names where the path has tokens; null: no route. */
function routeOf(ctx: Context): string | null {
  const pattern: unknown = ctx._matchedRoute
  return typeof pattern === 'string' ? pattern : null
}
