/** Forms of other sites are refused before their body is read. Otherwise another site could log a user in to the account of its choice, or press a button of the
 *  page (spec/decisions#account-page). @module */

import type { Context } from 'koa'
import { parseUrl } from '../../ports/parse-url.ts'
import { ForeignFormError } from '../../protocol/errors.ts'
import type { AccountPageDeps } from './deps.ts'

/** Values of `Sec-Fetch-Site` for a form of this page, and for a request that no page caused. */
const OWN_SITES: readonly string[] = ['same-origin', 'none']

/** Browsers set `Sec-Fetch-Site` and `Origin`, and no script can change them. If `Sec-Fetch-Site` was sent, it decides. Over plain HTTP browsers send only `Origin`.
 *  Old browsers send neither. Their users' visits are protected by the `SameSite` cookie and the token of the form.
 *  @throws {ForeignFormError} */
export function requireOwnForm(ctx: Context, { pageUrl }: Pick<AccountPageDeps, 'pageUrl'>): void {
  if (ctx.method !== 'POST') return
  const site = ctx.get('Sec-Fetch-Site')
  const origin = ctx.get('Origin')
  const isOwn = site === '' ? origin === '' || isOwnOrigin(origin, ctx, pageUrl) : OWN_SITES.includes(site)
  if (!isOwn)
    throw new ForeignFormError(
      'form: expected one of this page, got one of another site; open the page and try again',
    )
}

/** A node may be called by its own name, which differs from the one in mails. */
function isOwnOrigin(origin: string, ctx: Context, pageUrl: string): boolean {
  const own = new URL(pageUrl).origin
  return origin === own || parseUrl(origin)?.host === ctx.host
}
