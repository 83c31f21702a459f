/** `attribute-session-client/express`: a question to the visitors of a site with express 4 or 5 and `request.session`, as express-session provides it. @module */
import type { SessionRequest } from '../messages.ts'
import { answersOf, HEADERS, type Question, sessionOfMembers, type VisitorSession } from './question.ts'
import { storedSessionOf } from './stored-session.ts'

/** The used part of a request of express. */
export type RequestOfExpress = {
  readonly method: string
  readonly baseUrl: string
  readonly path: string
  readonly session?: object | null
}
/** The used part of a response of express. */
export type ResponseOfExpress = {
  set(headers: Record<string, string>): { status(code: number): { json(body: object): unknown } }
}

/** @returns a middleware
 *  @example
 *  app.use(session(options))
 *  app.use(askFor({
 *    ...{ url: 'https://id.example', path: '/over18', request },
 *    accept: (values, { session }) => (session.isAdult = values['svc-demo.gov.idcard.over18'] === 'yes'),
 *  })) */
export function askFor<const R extends SessionRequest, Request extends RequestOfExpress = RequestOfExpress>(
  question: Question<R, Request>,
) {
  const answer = answersOf(question)
  return async (
    request: Request,
    response: ResponseOfExpress,
    next: (error?: unknown) => void,
  ): Promise<void> => {
    const { method, baseUrl, path } = request
    const session = () => sessionOf(request)
    const call = { method, pathname: baseUrl + path, session, context: request }
    try {
      const reply = await answer(call)
      if (reply === null) next()
      else response.set(HEADERS).status(reply.status).json(reply.body)
    } catch (error) {
      next(error) // express 4 does not wait for a promise
    }
  }
}

function sessionOf(request: RequestOfExpress): VisitorSession {
  const stored = storedSessionOf(request, Object(request.session).id)
  return { ...sessionOfMembers(() => request.session), stored }
}
