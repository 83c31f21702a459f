/** One line per request: method, pattern of the route, status, milliseconds, bytes of the answer and its trace. It also has the session, the requestor
 *  and the type of the error if they are known. It never has the path, which holds tokens, nor a header or a body (spec/laws#6). Refusals are warnings. An error is a bug
 *  of ours and is logged where it is caught. @module */
import type { Context, Middleware } from 'koa'
import type { HttpDeps } from './deps.ts'
import { arrivals } from './limit-time.ts'
import { beginFacts, type RequestFacts, traceFields } from './request-facts.ts'

export function logRequests({
  log,
  clock,
  loop,
  traces,
  figures,
}: Pick<HttpDeps, 'log' | 'clock' | 'loop' | 'traces' | 'figures'>): Middleware {
  const arrivedNow = arrivals(clock, loop)
  return async function logging(ctx, next) {
    const measured = figures?.begin()
    const facts = beginFacts(ctx, traces.of(ctx.get('traceparent')), arrivedNow)
    await next()
    const { method, status } = ctx
    const route = routeOf(ctx)
    measured?.({ method, route: route ?? '', status: String(status) })
    const line = { method, route, status, ms: clock.now() - facts.arrivedAt, ...known(ctx, facts) }
    log[status >= 400 ? 'warn' : 'info'](line, 'request')
  }
}

/** The pattern that the router matched, with names where the path has tokens; null: no route. */
function routeOf(ctx: Context): string | null {
  const pattern: unknown = ctx._matchedRoute
  return typeof pattern === 'string' ? pattern : null
}

/** The fields of a log line that are known. The length of an event stream is not. */
function known(ctx: Context, { trace, session, requestor, error }: RequestFacts): object {
  const { length: bytes } = ctx.response
  return { bytes, error, session, requestor, ...traceFields(trace) } // unknown fields are left out of the line
}
