/** `attribute-session-client/koa`: a question to the visitors of a site with koa and `ctx.session`, as koa-session provides it. @module */
import type { SessionRequest } from '../messages.ts'
import { answersOf, HEADERS, type Question, sessionOfMembers } from './question.ts'

/** The used part of a context of koa. */
export type ContextOfKoa = {
  readonly method: string
  readonly path: string
  readonly session?: object | null
  status: number
  body: unknown
  set(headers: Record<string, string>): void
}

/** @returns a middleware
 *  @example
 *  app.use(session({ store }, app))
 *  app.use(askFor({
 *    ...{ url: 'https://id.example', path: '/over18', request },
 *    accept: (values, { session }) => (session.isAdult = values['svc-demo.gov.idcard.over18'] === 'yes'),
 *  })) */
export function askFor<const R extends SessionRequest, Context extends ContextOfKoa = ContextOfKoa>(
  question: Question<R, Context>,
) {
  const answer = answersOf(question)
  return async (context: Context, next: () => Promise<unknown>): Promise<void> => {
    const { method, path } = context
    const session = () => sessionOfMembers(() => context.session)
    const reply = await answer({ method, pathname: path, session, context })
    if (reply === null) await next()
    else {
      context.set(HEADERS)
      Object.assign(context, reply)
    }
  }
}
