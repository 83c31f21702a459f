/** `attribute-session-client/hono`: a question to the visitors of a site with hono and a session at `c.get('session')`, as hono-sessions provides it. @module */
import type { SessionRequest } from '../messages.ts'
import { answersOf, HEADERS, type Question, type VisitorSession } from './question.ts'

const JSON_HEADERS = { ...HEADERS, 'Content-Type': 'application/json' }

/** The used part of a context of hono. */
export type ContextOfHono = {
  readonly req: { readonly method: string; readonly path: string }
  get(key: 'session'): unknown
  body(text: string, status: number, headers: Record<string, string>): Response
}

/** @returns a middleware
 *  @example
 *  app.use(sessionMiddleware(options))
 *  app.use(askFor({
 *    ...{ url: 'https://id.example', path: '/over18', request },
 *    accept(values, c) {
 *      c.get('session').set('isAdult', values['svc-demo.gov.idcard.over18'] === 'yes')
 *      return c.get('session').get('isAdult')
 *    },
 *  })) */
export function askFor<const R extends SessionRequest, Context extends ContextOfHono = ContextOfHono>(
  question: Question<R, Context>,
) {
  const answer = answersOf(question)
  return async (context: Context, next: () => Promise<void>): Promise<Response | undefined> => {
    const { method, path } = context.req
    const reply = await answer({ method, pathname: path, session: () => sessionOf(context), context })
    // `context.body` keeps the headers of the context, among them the cookie of the session
    if (reply !== null) return context.body(JSON.stringify(reply.body), reply.status, JSON_HEADERS)
    await next()
    return undefined
  }
}

function sessionOf(context: ContextOfHono): VisitorSession {
  const session = context.get('session') as VisitorSession | undefined // the methods of hono-sessions
  if (session === undefined)
    throw new TypeError("c.get('session'): expected a session, got none: use hono-sessions before askFor")
  return { get: name => session.get(name), set: (name, value) => session.set(name, value) }
}
