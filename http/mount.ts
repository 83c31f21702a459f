/** Mounts the rows of a table of routes. A path is matched exactly, but a token at the end of a path may be followed by one slash (spec/session-server#2.1).
 *  The profile and the table decide whether HEAD is answered. @module */
import { METHODS } from 'node:http'
import { type Layer, Router } from '@koa/router'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import {
  InvalidRequestError,
  MalformedInputError,
  MethodNotAllowedError,
  NotFoundError,
} from '../protocol/errors.ts'
import { answerErrors, type ErrorForm } from './answer-errors.ts'
import type { HttpDeps } from './deps.ts'
import { requireTime, withinSince } from './limit-time.ts'
import type { OperationName } from './openapi/operations.ts'
import {
  type BodyDeps,
  bytesReader,
  formReader,
  type ReadBody,
  type Refusal,
  textReader,
} from './read-body.ts'
import { arrivalOf } from './request-facts.ts'

/** For each kind of body: its reader, and the error for a body that the reader refuses. */
const BODIES = {
  '-': null,
  request: ['text', InvalidRequestError],
  message: ['text', MalformedInputError],
  submission: ['bytes', MalformedInputError],
  record: ['bytes', InvalidRequestError],
  form: ['form', InvalidRequestError],
} as const satisfies Record<string, readonly ['text' | 'bytes' | 'form', Refusal] | null>

/** For each kind of work: the setting that limits its time, and the name of the work in the error of a call that exceeds the limit. */
const LIMITS = {
  '-': null,
  finding: ['handlingMs', 'finding out who calls'],
  handling: ['handlingMs', 'handling the call'],
  outcome: ['outcomeMs', 'handling the call'],
  starting: ['handlingMs', 'starting the session'],
  revoking: ['outcomeMs', 'revoking'],
} as const

/** The method and the name of routes for calls that match no other route. */
const OTHERWISE = 'otherwise'
/** Replaces the name of an operation in routes that are not described. */
const UNDESCRIBED = '-'

type Columns<Method, Callers, Who extends keyof Callers> = readonly [
  method: Method,
  path: string,
  caller: Who,
  body: keyof typeof BODIES,
  limit: keyof typeof LIMITS,
  errors: ErrorForm,
  endpoint: (ctx: Context, found: Callers[Who], body: Uint8Array) => Promise<void> | void,
]
type Method = 'GET' | 'POST' | 'DELETE'

/** One line of a table.
 *  @template Callers the facts about an admitted call, by kind of caller */
export type Route<Callers, Who extends keyof Callers = keyof Callers> = {
  [W in Who]: readonly [
    ...Columns<Method | typeof OTHERWISE, Callers, W>,
    operation?: OperationName | typeof UNDESCRIBED,
  ]
}[Who]

/** One line of a table that is described (http/openapi). Every endpoint has the name of an operation; a route for all other calls has none. */
export type DescribedRoute<Callers, Who extends keyof Callers = keyof Callers> = {
  [W in Who]:
    | readonly [...Columns<Method, Callers, W>, operation: OperationName]
    | readonly [...Columns<typeof OTHERWISE, Callers, W>, operation: typeof UNDESCRIBED]
}[Who]

/** Identifies each kind of caller. A function throws the refusal of a caller, and then nothing changes. */
export type Admit<Callers> = { readonly [Who in keyof Callers]: (ctx: Context) => Promise<Callers[Who]> }

/** @template Callers as in `Route` */
export type Table<Callers> = {
  /** precedes the path of each route */
  readonly prefix: string
  readonly routes: readonly Route<Callers>[]
  /** true: HEAD is answered wherever GET is, in every profile; for pages, and for facts about the server */
  readonly answersHead?: boolean
}

/** A table in which every endpoint is described. */
export type DescribedTable<Callers> = Pick<Table<Callers>, 'prefix'> & {
  readonly routes: readonly DescribedRoute<Callers>[]
}

type Means<Callers> = Pick<HttpDeps, 'clock' | 'settings'> & {
  readonly admit: Admit<Callers>
  readonly readers: { readonly text: ReadBody; readonly bytes: ReadBody; readonly form: ReadBody }
}

const NOTHING = new Uint8Array()

export function mountTables<Callers>(
  app: Koa,
  tables: readonly Table<Callers>[],
  admit: Admit<Callers>,
  deps: HttpDeps & BodyDeps,
): void {
  const { clock, settings } = deps
  const router = new Router({ strict: true, sensitive: true })
  const readers = { text: textReader(deps), bytes: bytesReader(deps), form: formReader(deps) }
  const means = { clock, settings, admit, readers }
  for (const { prefix, routes, answersHead = settings.profile.head === 'everywhere' } of tables)
    for (const route of routes) {
      const [method, path, , , , errors] = route
      const handle = handler(route, means)
      const chain = errors === 'json' ? [handle] : [answerErrors(deps, errors), handle]
      if (method === OTHERWISE) router.register(prefix + path, METHODS, chain, { name: OTHERWISE })
      else limitHead(router.register(prefix + path, [method], chain), answersHead)
    }
  app.use(router.routes())
}

/** Identifies the caller before reading the body. If no body is read, one time limit covers both steps. */
function handler<Callers, Who extends keyof Callers>(
  route: Route<Callers, Who>,
  means: Means<Callers>,
): Middleware {
  const [, , caller, body, limit, , endpoint] = route
  const find = means.admit[caller]
  return async (ctx: Context): Promise<void> => {
    const read = BODIES[body]
    const { arrivedAt, arrivedNow } = arrivalOf(ctx)
    if (read === null)
      return bounded(limit, means, arrivedAt, async requireTimeLeft => {
        const found = await find(ctx)
        requireTimeLeft()
        return endpoint(ctx, found, NOTHING)
      })
    const found = await bounded('finding', means, arrivedAt, () => find(ctx))
    const [reader, Refused] = read
    const isWhole = ctx.req.complete // the body arrived while the caller was identified
    const bytes = await means.readers[reader](ctx, Refused)
    const wholeAt = isWhole ? arrivedAt : arrivedNow()
    return bounded(limit, means, wholeAt, async () => endpoint(ctx, found, bytes))
  }
}

/** Removes HEAD, which the router adds to every GET. */
function limitHead(layer: ReturnType<Router['register']>, answersHead: boolean): void {
  if (layer instanceof Router) throw new TypeError('router: expected a layer of one path, got several')
  if (!answersHead) layer.methods = layer.methods.filter(method => method !== 'HEAD')
}

function bounded<Result>(
  limit: keyof typeof LIMITS,
  { clock, settings }: Pick<HttpDeps, 'clock' | 'settings'>,
  arrivedAt: number,
  work: (requireTimeLeft: () => void) => Promise<Result>,
): Promise<Result> {
  const bound = LIMITS[limit]
  if (bound === null) return work(() => {})
  const [name, what] = bound
  const ms = settings.limits[name]
  const requireTimeLeft = (): void => void requireTime(clock, arrivedAt, ms, what)
  return withinSince(clock, arrivedAt, ms, what, () => work(requireTimeLeft))
}

/** The endpoint for calls that no other endpoint takes. */
export function refuse(ctx: Context): never {
  const matched: readonly Pick<Layer, 'name' | 'methods'>[] = ctx.matched ?? []
  const allowed = matched.filter(({ name }) => name !== OTHERWISE).flatMap(({ methods }) => methods)
  throw allowed.length > 0 ? new MethodNotAllowedError([...new Set(allowed)].sort()) : new NotFoundError()
}
