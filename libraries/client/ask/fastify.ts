/** `attribute-session-client/fastify`: a question to the visitors of a site with fastify and `request.session`, as @fastify/session provides it. @module */
import type { SessionRequest } from '../messages.ts'
import { answersOf, HEADERS, type Question, type VisitorSession } from './question.ts'

/** The used part of a request of fastify. */
export type RequestOfFastify = { readonly method: string; readonly url: string; readonly session?: object }
type ReplyOfFastify = { headers(values: Record<string, string>): { status(code: number): unknown } }
/** The used part of a server of fastify. */
export type ServerOfFastify<Request> = {
  route(options: {
    method: 'GET' | 'POST'
    url: string
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
  const handler = async (request: Request, reply: ReplyOfFastify): Promise<object> => {
    const [pathname = ''] = request.url.split('?', 1)
    const session = () => sessionOf(request)
    const given = await answer({ method: request.method, pathname, session, context: request })
    if (given === null) throw new TypeError('path: expected the path of the plugin, without a prefix')
    reply.headers(HEADERS).status(given.status)
    return given.body
  }
  return async (app: ServerOfFastify<Request>): Promise<void> => {
    const { path = '' } = question
    app.route({ method: 'POST', url: `${path}/start`, handler })
    app.route({ method: 'GET', url: `${path}/result/:id`, handler })
  }
}

function sessionOf({ session }: RequestOfFastify): VisitorSession {
  if (session === undefined)
    throw new TypeError('request.session: expected one, got none: register @fastify/session before askFor')
  const { get, set } = session as VisitorSession // the methods of @fastify/session
  return { get: get.bind(session), set: set.bind(session) }
}
