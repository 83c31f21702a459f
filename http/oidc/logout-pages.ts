/** The pages of a logout that a site begins (OpenID Connect RP-Initiated Logout 1.0). @module */

import type { KoaContextWithOIDC } from 'oidc-provider'
import { parseUrl } from '../../ports/parse-url.ts'
import { Html, html } from '../html.ts'
import { answerPage } from './answer-page.ts'
import { languageOf, WORDS } from './words/languages.ts'

/** @param form of the provider, without its buttons */
export function answerLogout(ctx: KoaContextWithOIDC, form: string, root: string): void {
  const language = languageOf(ctx, localesOf(ctx))
  const { logout } = WORDS[language]
  const main = html`<p>${logout.text}</p>
${new Html(form)}
<div class="actions">
<button type="submit" form="op.logoutForm" name="logout" value="yes">${logout.yes}</button>
<button type="submit" form="op.logoutForm" class="plain">${logout.no}</button>
</div>`
  answerPage(ctx, { language, title: logout.title, main, root, formsTo: returnOrigin(ctx) })
}

export function answerLogoutDone(ctx: KoaContextWithOIDC, root: string): void {
  const language = languageOf(ctx, localesOf(ctx))
  const { logout } = WORDS[language]
  answerPage(ctx, { language, title: logout.done, main: html`<p>${logout.doneText}</p>`, root })
}

function localesOf({ oidc }: KoaContextWithOIDC): string {
  const locales = oidc.params?.ui_locales
  return typeof locales === 'string' ? locales : ''
}

/** The site to which the form leads in the end. Browsers apply `form-action` to redirects too. */
function returnOrigin({ oidc }: KoaContextWithOIDC): readonly string[] {
  const uri = oidc.params?.post_logout_redirect_uri
  return typeof uri === 'string' ? [parseUrl(uri)?.origin ?? []].flat() : []
}
