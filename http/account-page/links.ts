/** The endpoints behind a mailed link (spec/keyshare-server#13.3, #15). A link is valid once. @module */
import type { Context } from 'koa'
import { InvalidRequestError, InvalidTokenError } from '../../protocol/errors.ts'
import { answerNoContent } from '../answer.ts'
import { textOf } from '../read-body.ts'
import { answerPage } from './answer-page.ts'
import type { AccountPageDeps } from './deps.ts'
import { type PageDeps, placeOf, seeOther, type VisitorEndpoint, visited } from './place.ts'
import { confirmedScreen, linkScreen } from './screens.ts'
import { beginVisit, endVisit } from './visit.ts'

const PURPOSES = { login: 'login', confirm: 'confirmation' } as const

/** GET: a button, and nothing else. */
export function followLink(deps: PageDeps, page: keyof typeof PURPOSES): VisitorEndpoint {
  return async ctx => {
    const token = tokenIn(ctx)
    if (!(await deps.owners.isOpen(token, PURPOSES[page]))) throw unusable()
    answerPage(ctx, placeOf(deps), linkScreen(placeOf(deps), page, token))
  }
}

/** POST /account/{language}/login/{token} */
export function logIn(deps: PageDeps): VisitorEndpoint {
  return async ctx => {
    const address = await deps.owners.logIn(tokenIn(ctx))
    if (address === null) throw unusable()
    beginVisit(ctx, address, deps)
    seeOther(ctx, `${deps.place.base}/`)
  }
}

/** POST /account/{language}/confirm/{token}: it logs no user in, because such links are valid for days. */
export function confirm(deps: PageDeps): VisitorEndpoint {
  return async ctx => {
    const address = await confirmed(tokenIn(ctx), deps)
    answerPage(ctx, placeOf(deps), confirmedScreen(placeOf(deps), address))
  }
}

/** POST /verify, the raw token: 204. */
export function verify(deps: AccountPageDeps): VisitorEndpoint {
  return async (ctx, _visit, body) => {
    await confirmed(textOf(body, InvalidRequestError), deps)
    answerNoContent(ctx)
  }
}

/** POST /account/{language}/logout */
export function logOut(deps: PageDeps): VisitorEndpoint {
  return visited(deps, async ctx => {
    endVisit(ctx, deps)
    seeOther(ctx, `${deps.place.base}/login`)
  })
}

async function confirmed(token: string, { owners }: AccountPageDeps): Promise<string> {
  const address = await owners.confirm(token)
  if (address === null) throw unusable()
  return address
}

function unusable(): InvalidTokenError {
  return new InvalidTokenError('Unknown email verification token')
}

function tokenIn(ctx: Context): string {
  return String(ctx.params.token)
}
