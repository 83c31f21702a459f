/** GET /authorize/{uid}: the end of a login, at which the browser returns to the site with a code. The answer is stored in the commit that ends the login. A browser
 *  that lost the answer repeats the call, and gets the same answer with the same code. @module */
import type { Context, Middleware } from 'koa'
import type { Provider } from 'oidc-provider'
import type { AtOnce } from '../../actors/oidc/at-once.ts'
import { answerErrorPage } from './answer-page.ts'

/** Secret: it contains a code. */
type Answer = {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: string
}

/** Where answers are stored: structurally the adapter of oidc-provider. */
export type AnswerRecords = {
  find(uid: string): Promise<Answer | undefined>
  /** @param expiresIn seconds */
  upsert(uid: string, answer: Answer, expiresIn: number): Promise<void>
}

export type ReturnDeps = {
  readonly atOnce: AtOnce
  readonly answers: AnswerRecords
  /** how long an answer is stored, seconds: its code has expired then */
  readonly keptSec: number
  /** the path of this server as browsers see it, with a slash at its end */
  readonly root: string
  /** receives errors of the store */
  readonly report: (error: unknown) => void
}

const RETURN_PATH = /^\/authorize\/[^/]+$/

export function returnOnce(provider: Provider, deps: ReturnDeps): Middleware {
  const { atOnce, answers, keptSec, root, report } = deps
  return async (ctx, next) => {
    const uid = RETURN_PATH.test(ctx.path)
      ? ctx.cookies.get(provider.cookieName('resume'), { signed: true })
      : undefined
    if (uid === undefined) return next()
    try {
      const isCommitted = await atOnce(async () => {
        await next()
        // the provider has deleted the interaction of a login that it has ended
        const hasEnded = ctx.status < 400 && (await provider.Interaction.find(uid)) === undefined
        if (hasEnded) await answers.upsert(uid, answerOf(ctx), keptSec)
      })
      // another call has ended the login: the browser repeats its call, and gets the answer to that other call
      if (!isCommitted) return askAgain(ctx)
    } catch (error) {
      report(error)
      for (const name of ['Location', 'Set-Cookie']) ctx.remove(name)
      return answerErrorPage(ctx, { root, status: 503, detail: '' })
    }
    const answer = ctx.status === 400 ? await answers.find(uid) : undefined
    if (answer) give(ctx, answer)
  }
}

function answerOf({ status, response, body }: Context): Answer {
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'number' ? String(value) : value] as const],
  )
  return { status, headers: Object.fromEntries(headers), body: String(body ?? '') }
}

function give(ctx: Context, { status, headers, body }: Answer): void {
  ctx.status = status
  ctx.body = body
  ctx.set(headers)
}

function askAgain(ctx: Context): void {
  ctx.remove('Set-Cookie')
  ctx.redirect(ctx.originalUrl)
  ctx.status = 303
}
