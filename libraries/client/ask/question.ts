/** A question of a web site to its visitors, for any framework. The page starts a session and reads its outcome with two calls to its own site. The token of the session
 *  stays in the visitor's session at the site. @module */
import { type AttributesOf, attributes } from '../attributes.ts'
import { ServerRefusalError } from '../calls.ts'
import type { Exactly, SessionRequest } from '../messages.ts'
import { createRequestor, type RequestorOptions } from '../requestor.ts'
import type { StoredSession } from './stored-session.ts'

/** Number of started sessions that the site keeps for a visitor and a question. */
const MAX_STARTED = 10

export type Question<R extends SessionRequest, Context> = RequestorOptions & {
  /** path of the two calls: `POST PATH/start` and `GET PATH/result/ID`; empty by default; segments of letters, digits, `-`, `.`, `_` and `~` */
  readonly path?: string
  readonly request: R
  /** Called only with attributes whose proofs are valid. Record here that the visitor is accepted.
   *  @param context the request, or the framework's object in its place
   *  @returns true: the visitor is accepted */
  readonly accept: (attributes: AttributesOf<R>, context: Context) => boolean | Promise<boolean>
  /** Called if the session server cannot be reached or refuses. The default prints one line to stderr. */
  readonly onError?: (error: unknown) => void
}

/** The values that the site keeps for one visitor. The visitor must not be able to read them. */
export type VisitorSession = {
  readonly get: (name: string) => unknown
  readonly set: (name: string, value: unknown) => void
  /** left out: the framework saves the changes itself */
  readonly save?: () => Promise<void>
  /** reads the session again and changes it; left out or null: the session cannot be read again */
  readonly stored?: StoredSession | null
}

export type PageCall<Context> = {
  readonly method: string
  readonly pathname: string
  /** called only for a call of the question */
  readonly session: () => VisitorSession
  readonly context: Context
}

/** An answer to the page, as JSON. It holds no token of the requestor. */
export type Reply = { readonly status: number; readonly body: object }

/** Headers of every reply. */
export const HEADERS = { 'Cache-Control': 'no-store' } as const

type Started = { readonly id: string; readonly token: string }

/** The answer to a call for a session that this visitor has not started, or whose visitor has ended the web session. */
export const UNKNOWN: Reply = { status: 404, body: { error: 'this session is not known here' } }
const NO_SERVER: Reply = { status: 502, body: { error: 'the session server did not answer as expected' } }

/** @returns answers the two calls of the page; null for another call, which the site answers itself
 *  @throws {TypeError} for a path of another form
 *  @example
 *  const answer = answersOf({ url, request, accept: values => values[AGE] === 'yes' })
 *  const reply = await answer({ method: 'POST', pathname: '/start', session: () => session, context: null }) */
export function answersOf<R extends SessionRequest, Context>(
  question: Question<R, Context>,
): (call: PageCall<Context>) => Promise<Reply | null> {
  const { path = '', request, accept, onError = error => report(question.url, error), ...options } = question
  if (!/^(\/[\w.~-]+)*$/.test(path))
    throw new TypeError(`path: expected none or one such as "/over18", got ${JSON.stringify(path)}`)
  const requestor = createRequestor(options)
  const key = `askFor ${path}`
  const tried = <T>(call: Promise<T>): Promise<T | null> =>
    call.catch(error => {
      onError(error)
      return null
    })
  const start = async (session: VisitorSession): Promise<Reply> => {
    const wasStored = (await session.stored?.isStored()) ?? false
    const started = await tried(requestor.start<R>(request as Exactly<R>)) // the site names no other members than those of its type
    if (started === null) return NO_SERVER
    const { token, sessionPtr, frontendRequest } = started
    const id = globalThis.crypto.randomUUID()
    const reply: Reply = { status: 200, body: { id, sessionPtr, frontendRequest } }
    const changed = await changing(session, wasStored, () => {
      session.set(key, [...startedIn(session, key), { id, token }].slice(-MAX_STARTED))
      return reply
    })
    return changed ?? UNKNOWN
  }
  const end = async (id: string, session: VisitorSession, context: Context): Promise<Reply> => {
    const token = startedIn(session, key).find(started => started.id === id)?.token
    if (token === undefined) return UNKNOWN
    const result = await tried(requestor.result<R>(token))
    if (result === null) return NO_SERVER
    const { status, proofStatus } = result
    if (result.status !== 'DONE' || result.proofStatus !== 'VALID')
      return { status: 403, body: { accepted: false, status, proofStatus } }
    const changed = await changing(session, true, async (): Promise<Reply> => {
      const accepted = await accept(attributes<R>(result), context)
      return { status: accepted ? 200 : 403, body: { accepted } }
    })
    return changed ?? UNKNOWN
  }
  return async call => {
    const step = stepOf(call, path)
    if (step === null) return null
    const session = call.session()
    return step === 'start' ? start(session) : end(step.id, session, call.context)
  }
}

function stepOf(
  { method, pathname }: Pick<PageCall<unknown>, 'method' | 'pathname'>,
  path: string,
): 'start' | { readonly id: string } | null {
  if (!pathname.startsWith(`${path}/`)) return null
  const rest = pathname.slice(path.length)
  if (method === 'POST') return rest === '/start' ? 'start' : null
  const [, id] = /^\/result\/([^/]+)$/.exec(rest) ?? []
  return method === 'GET' && id !== undefined ? { id } : null
}

/** @param wasStored the session was stored when the call began
 *  @returns null: the visitor's session has ended meanwhile, and nothing was changed */
async function changing<Result>(
  { stored, save }: VisitorSession,
  wasStored: boolean,
  change: () => Result | Promise<Result>,
): Promise<Result | null> {
  if (stored) return stored.change(wasStored, change)
  const result = await change()
  await save?.()
  return result
}

function startedIn(session: VisitorSession, key: string): readonly Started[] {
  return (session.get(key) ?? []) as readonly Started[] // written by `start` alone
}

/** The session of a framework whose values are members of an object.
 *  @param current returns the session of the request
 *  @throws {TypeError} if there is none */
export function sessionOfMembers(current: () => object | null | undefined): VisitorSession {
  const values = (): object => {
    const found = current()
    if (found) return found
    throw new TypeError('session: expected one, got none: add the session middleware before askFor')
  }
  values()
  return {
    get: name => Reflect.get(values(), name),
    set: (name, value) => {
      Reflect.set(values(), name, value)
    },
  }
}

/** Prints no part of an answer, because it may hold a token. */
function report(url: string, error: unknown): void {
  const { name, cause } = error as { readonly name?: string; readonly cause?: { readonly code?: string } } // `fetch` and JSON.parse throw such errors
  const why =
    error instanceof ServerRefusalError ? `${error.status} ${error.type}`.trim() : (cause?.code ?? name)
  console.error(`askFor: expected an answer of ${url}, got none: ${why}`)
}
