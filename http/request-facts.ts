/** The facts about a request that are collected while it is handled, for its log line and for its effects. None is secret. @module */

import type { Context } from 'koa'
import { parseUrl } from '../ports/parse-url.ts'
import type { Trace } from '../ports/traces.ts'
import type { SessionRow } from '../stores/session-store.ts'

export type RequestFacts = {
  readonly trace: Trace
  /** time at which its head arrived, by the clock of the server */
  readonly arrivedAt: number
  /** the time at which data that is read now has arrived */
  readonly arrivedNow: () => number
  /** the name by which logs know the session, a hash */
  session?: string
  /** the name of the requestor in the settings */
  requestor?: string
  /** type of the remote error that is the answer */
  error?: string
}

export function beginFacts(ctx: Context, trace: Trace, arrivedNow: () => number): RequestFacts {
  const facts: RequestFacts = { trace, arrivedAt: arrivedNow(), arrivedNow }
  ctx.state.facts = facts
  return facts
}

/** @throws {TypeError} outside of the layer that logs requests */
function factsOf(ctx: Context): RequestFacts {
  const { facts }: { readonly facts?: RequestFacts } = ctx.state
  if (facts === undefined) throw new TypeError('request facts: expected a request that is logged')
  return facts
}

/** The arrival time of the request's head, and of data that is read now. */
export function arrivalOf(ctx: Context): Pick<RequestFacts, 'arrivedAt' | 'arrivedNow'> {
  return factsOf(ctx)
}

/** A target that is a path for certain, so that it need not be parsed. All endpoints have such paths. */
const PLAIN_PATH = /^(\/[\w-]+)+\/?$/

/** @returns null: the target of the request is no address, or an address without a path, such as `s://` */
export function pathOf(ctx: Context): string | null {
  if (!PLAIN_PATH.test(ctx.url) && parseUrl(ctx.url, 'http://host') === null) return null
  return ctx.path
}

export function traceOf(ctx: Context): Trace {
  return factsOf(ctx).trace
}

/** The fields by which a log line names the request that caused it. */
export function traceFields({ traceId, spanId }: Trace): { readonly trace: string; readonly span: string } {
  return { trace: traceId, span: spanId }
}

/** Notes that the request is about that session. */
export function noteSession(ctx: Context, { id, requestor }: Pick<SessionRow, 'id' | 'requestor'>): void {
  const facts = factsOf(ctx)
  facts.session = id
  if (requestor !== '') facts.requestor = requestor
}

/** Notes that the answer is that error. Does nothing for a request that is not logged, such as those of the tour.
 *  @param type undefined: the answer is no error */
export function noteError(ctx: Context, type: string | undefined): void {
  const { facts }: { readonly facts?: RequestFacts } = ctx.state
  if (type !== undefined && facts !== undefined) facts.error = type
}

/** Notes that this requestor sent the request. */
export function noteRequestor(ctx: Context, requestor: string): void {
  factsOf(ctx).requestor = requestor
}
