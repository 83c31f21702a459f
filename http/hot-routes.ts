/** The rows of a table of routes that are found without the router: it tries the expression of each row for every call, which takes longer than the rest
 *  of a poll. A row is found by its method and its path with `:` in place of a token. The router handles every other call. @module */
import type { Context, Middleware, Next } from 'koa'

/** The part of a path that looks like a token, which needs no decoding. */
const TOKEN = /\/([A-Za-z0-9]{20})(?=\/|$)/
const PARAMETER = /:(\w+)/g
/** Marks a pattern that matches more than one path, except for an optional slash at the end. */
const PATTERN = /[{}*]/

type HotRoute = {
  /** as the table has it, for the log */
  readonly path: string
  readonly parameter: string | null
  readonly handle: Middleware
}

export class HotRoutes {
  readonly #routes = new Map<string, HotRoute>()

  /** Rows are added in the order of their table, of which the first one counts; rows of another kind are left to the router. */
  add(method: string, path: string, handle: Middleware): void {
    const plain = path.endsWith('{/}') ? path.slice(0, -3) : path
    const [parameter = null, ...more] = [...plain.matchAll(PARAMETER)].map(([, name = '']) => name)
    if (PATTERN.test(plain) || more.length > 0) return
    const shape = shapeOf(method, plain.replace(PARAMETER, ':'))
    if (!this.#routes.has(shape)) this.#routes.set(shape, { path, parameter, handle })
  }

  /** The layer to mount before the router. */
  routes(): Middleware {
    return (ctx, next) => this.#answer(ctx, next) ?? next()
  }

  #answer(ctx: Context, next: Next) {
    const { method, path } = ctx
    const [found, token = ''] = TOKEN.exec(path) ?? []
    const route = this.#routes.get(shapeOf(method, found ? path.replace(found, '/:') : path))
    if (route === undefined || (route.parameter === null) === (token !== '')) return undefined
    ctx._matchedRoute = route.path
    ctx.params = route.parameter === null ? {} : { [route.parameter]: token }
    return route.handle(ctx, next)
  }
}

function shapeOf(method: string, path: string): string {
  return `${method} ${path}`
}
