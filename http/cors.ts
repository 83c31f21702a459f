/** Cross-origin rules (spec/session-server#2.3) of every path, known or not: origins `*`, no credentials. A preflight never reaches a route.
 *  The CORS package of Koa is not used: it answers with all allowed methods and headers, and these rules answer with the requested ones. @module */
import type { Context, Middleware } from 'koa'

const METHODS = ['GET', 'POST', 'DELETE', 'OPTIONS']
/** A browser asks for no permission to send HEAD. */
const READ_FROM_PAGES = [...METHODS, 'HEAD']
const HEADERS = ['Accept', 'Authorization', 'Content-Type', 'Cache-Control', 'Origin']

/** The headers of an answer to a broken request, which no layer of Koa sees. Without them a browser hides the answer from its page. */
export const WITHOUT_LAYERS = { Vary: 'Origin', 'Access-Control-Allow-Origin': '*' }

export function cors(): Middleware {
  return async function crossOrigin(ctx, next) {
    if (ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method')) return answerPreflight(ctx)
    ctx.set('Vary', 'Origin')
    if (ctx.get('Origin') && READ_FROM_PAGES.includes(ctx.method)) ctx.set('Access-Control-Allow-Origin', '*')
    await next()
  }
}

/** Always 200. A request that is not allowed gets none of the three headers, and browsers then refuse it. */
function answerPreflight(ctx: Context): void {
  ctx.set('Vary', ['Origin', 'Access-Control-Request-Method', 'Access-Control-Request-Headers'])
  const method = ctx.get('Access-Control-Request-Method').toUpperCase()
  const headers = listOf(ctx.get('Access-Control-Request-Headers'))
  if (ctx.get('Origin') && METHODS.includes(method) && headers.every(name => HEADERS.includes(name))) {
    ctx.set('Access-Control-Allow-Origin', '*')
    ctx.set('Access-Control-Allow-Methods', method)
    if (headers.length > 0) ctx.set('Access-Control-Allow-Headers', headers.join(', '))
  }
  ctx.status = 200
  ctx.body = ''
  ctx.remove('Content-Type')
}

/** Header names in canonical case. */
function listOf(text: string): string[] {
  const names = text.split(',').map(name => name.trim().toLowerCase())
  return names
    .filter(name => name !== '')
    .map(name => name.replace(/(^|-)[a-z]/g, start => start.toUpperCase()))
}
