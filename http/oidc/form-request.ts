/** POST /authorize and POST /logout, which OpenID Connect Core 3.1.2.1 and RP-Initiated Logout 2 require. The browser is sent on with GET, because it sends the
 *  cookies of a login to a GET from another site only. @module */
import type { Context } from 'koa'
import { InvalidRequestError } from '../../protocol/errors.ts'
import { textOf } from '../read-body.ts'
import { redirectBrowser } from './answer-page.ts'

const FORM = 'application/x-www-form-urlencoded'

/** @param url address of the endpoint */
export function formRequest(url: string): (ctx: Context, found: null, body: Uint8Array) => void {
  return (ctx, _found, body) => {
    if (!ctx.is(FORM)) throw new InvalidRequestError(`body: expected ${FORM}, got another type`)
    const parameters = new URLSearchParams(textOf(body, InvalidRequestError))
    redirectBrowser(ctx, `${url}?${parameters}`)
  }
}
