/** The pages of the OpenID provider as answers: the sign-in page, logging out and errors. No cache stores them, no other site may frame them, and no other site
 *  gets their address. They load nothing from other origins. @module */
import type { Context } from 'koa'
import { Html, html } from '../html.ts'
import { type Language, languageOf, WORDS } from './words/languages.ts'
import type { ErrorPage, SignInTexts } from './words/words.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

type Page = {
  readonly language: Language
  readonly title: string
  readonly main: Html
  /** the path of this server as browsers see it, with a slash at its end */
  readonly root: string
  readonly status?: number
  /** origins to which a form of the page may lead, after this server */
  readonly formsTo?: readonly string[]
  readonly hasScript?: boolean
}

/** The headers of every answer to a browser. */
export function setBrowserHeaders(ctx: Pick<Context, 'set'>): void {
  ctx.set('Referrer-Policy', 'no-referrer')
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('X-Frame-Options', 'DENY')
  ctx.set('Content-Security-Policy', "frame-ancestors 'none'")
}

/** Sends the browser on with GET. */
export function redirectBrowser(ctx: Pick<Context, 'set' | 'redirect' | 'status'>, to: string): void {
  setBrowserHeaders(ctx)
  ctx.redirect(to)
  ctx.status = 303
}

export function answerPage(ctx: Pick<Context, 'set' | 'status' | 'type' | 'body'>, page: Page): void {
  const { formsTo = [], status = 200 } = page
  setBrowserHeaders(ctx)
  ctx.set(
    'Content-Security-Policy',
    [...POLICY, `form-action ${["'self'", ...formsTo].join(' ')}`].join('; '),
  )
  ctx.set('Cache-Control', 'no-store')
  ctx.status = status
  ctx.type = 'text/html; charset=UTF-8'
  ctx.body = textOf(page)
}

function textOf({ language, title, main, root, hasScript = false }: Page): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${root}sign-in/style.css">
${hasScript ? html`<script type="module" src="${root}sign-in/sign-in.js"></script>` : null}
</head>
<body>
<header><strong>${WORDS[language].name}</strong></header>
<main><h1>${title}</h1>
${main}
</main>
</body>
</html>
`.text
}

/** A script reads these texts. They are part of no script that runs. */
export function dataIn(value: object): Html {
  return new Html(JSON.stringify(value).replaceAll('<', '\\u003c'))
}

type PageContext = Pick<
  Context,
  'set' | 'get' | 'status' | 'type' | 'body' | 'acceptsLanguages' | 'path' | 'query'
>

/** The page for a browser that begins too many logins. */
export function answerBusyPage(
  ctx: PageContext,
  { root, status }: { readonly root: string; readonly status: number },
): void {
  const language = languageOf(ctx, localesOf(ctx))
  const { busy } = WORDS[language]
  answerPage(ctx, { language, title: busy.title, main: html`<p>${busy.text}</p>`, root, status })
}

/** @param detail error code and description, without secrets; empty: none */
export function answerErrorPage(
  ctx: PageContext,
  { root, status, detail }: { readonly root: string; readonly status: number; readonly detail: string },
): void {
  const language = languageOf(ctx, localesOf(ctx))
  const { error } = WORDS[language]
  const { title, text } = errorPage(error, ctx.path, status)
  const hasNoCookie = title === error.title && ctx.get('Cookie') === ''
  const main = html`<p>${text}</p>
${hasNoCookie ? html`<p>${error.cookies}</p>` : null}
${detail === '' ? null : html`<p class="soft">${error.detail}: <code lang="en">${detail}</code></p>`}`
  answerPage(ctx, { language, title, main, root, status })
}

/** @param path below the issuer */
function errorPage(error: SignInTexts['error'], path: string, status: number): ErrorPage {
  if (status >= 500) return error.fault
  if (path.startsWith('/logout')) return error.logout
  return path === '/authorize' ? error.request : error
}

/** The parameter `ui_locales` of the request of the site; empty: none. */
function localesOf({ query }: Pick<Context, 'query'>): string {
  const { ui_locales: locales } = query
  return typeof locales === 'string' ? locales : ''
}
