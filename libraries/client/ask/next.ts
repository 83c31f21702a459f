/** `attribute-session-client/next`: a question to the visitors of a site with next, for `app/PATH/[...step]/route.ts`. The site gives the visitor's session, such
 *  as the one of iron-session. @module */
import type { SessionRequest } from '../messages.ts'
import { answersOf, HEADERS, type Question, sessionOfMembers } from './question.ts'

/** A session whose values are members of the object. */
export type SavedSession = { save(): Promise<void> }

export type QuestionOfNext<R extends SessionRequest, Session extends SavedSession> = Question<R, Session> & {
  /** The session of the visitor who calls. It is saved after `accept`. */
  readonly session: (request: Request) => Session | Promise<Session>
}

/** @returns the two handlers of the route
 *  @example
 *  export const { GET, POST } = askFor({
 *    ...{ url: 'https://id.example', path: '/over18', request },
 *    session: async () => getIronSession(await cookies(), options),
 *    accept: (values, session) => (session.isAdult = values['svc-demo.gov.idcard.over18'] === 'yes'),
 *  }) */
export function askFor<const R extends SessionRequest, Session extends SavedSession = SavedSession>(
  question: QuestionOfNext<R, Session>,
) {
  const { session } = question
  const answer = answersOf<R, Session>(question)
  const handle = async (request: Request): Promise<Response> => {
    const { method, url } = request
    const context = await session(request)
    const ofVisitor = { ...sessionOfMembers(() => context), save: () => context.save() }
    const reply = await answer({
      method,
      pathname: new URL(url).pathname,
      session: () => ofVisitor,
      context,
    })
    if (reply === null) return new Response(null, { status: 404 })
    return Response.json(reply.body, { status: reply.status, headers: HEADERS })
  }
  return { GET: handle, POST: handle }
}
