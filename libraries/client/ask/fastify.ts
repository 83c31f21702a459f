/** `attribute-session-client/fastify`: a question to the visitors of a site with fastify and `request.session`, as @fastify/session provides it. @module */
import type { SessionRequest } from '../messages.ts'
import { answersOf, HEADERS, type Question, UNKNOWN, type VisitorSession } from './question.ts'
import { storedSessionOf } from './stored-session.ts'

/** The used part of a request of fastify. */
export type RequestOfFastify = { readonly params: unknown; readonly session?: object }
type ReplyOfFastify = {
  readonly raw: { readonly closed: boolean; once(event: 'close', listener: () => void): unknown }
  headers(values: Record<string, string>): { status(code: number): unknown }
}
/** The used part of a server of fastify. */
export type ServerOfFastify<Request> = {
  route(options: {
    method: 'GET' | 'POST'
    url: string
    /** false: HEAD is not answered as GET is */
    exposeHeadRoute: boolean
    handler(request: Request, reply: ReplyOfFastify): Promise<object>
  }): unknown
}

/** @returns a plugin
 *  @example
 *  app.register(fastifyCookie).register(fastifySession, options)
 *  app.register(askFor({
 *    ...{ url: 'https://id.example', path: '/over18', request },
 *    accept: (values, { session }) => (session.isAdult = values['svc-demo.gov.idcard.over18'] === 'yes'),
 *  })) */
export function askFor<const R extends SessionRequest, Request extends RequestOfFastify = RequestOfFastify>(
  question: Question<R, Request>,
) {
  const answer = answersOf(question)
  const { path = '' } = question
  // the path without the prefix of the plugin, in the spelling of the question
  const route = (method: 'GET' | 'POST', url: string, pathOf: (request: Request) => string) => ({
    method,
    url: path + url,
    exposeHeadRoute: false,
    async handler(request: Request, reply: ReplyOfFastify): Promise<object> {
      const session = () => sessionOf(request, sentOf(reply))
      const call = { method, pathname: path + pathOf(request), session }
      const { status, body } = (await answer({ ...call, context: request })) ?? UNKNOWN
      reply.headers(HEADERS).status(status)
      return body
    },
  })
  return async (app: ServerOfFastify<Request>): Promise<void> => {
    app.route(route('POST', '/start', () => '/start'))
    app.route(route('GET', '/result/:id', ({ params }) => `/result/${encodeURIComponent(Object(params).id)}`))
  }
}

function sessionOf(request: RequestOfFastify, sent: Promise<void>): VisitorSession {
  const current = (): VisitorSession => request.session as VisitorSession // the methods of @fastify/session
  if (request.session === undefined)
    throw new TypeError('request.session: expected one, got none: register @fastify/session before askFor')
  return {
    get: name => current().get(name),
    set: (name, value) => current().set(name, value),
    stored: storedSessionOf(request, Object(request.session).sessionId, sent),
  }
}

/** Resolves when the answer is sent, or its connection has ended, perhaps while the visitor's session was read. */
function sentOf({ raw }: ReplyOfFastify): Promise<void> {
  return new Promise(resolve => {
    if (raw.closed) resolve()
    else raw.once('close', resolve)
  })
}
