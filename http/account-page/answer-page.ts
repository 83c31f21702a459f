/** Pages as answers. No cache stores them. They load nothing from other origins and run no script. No other site may frame them, and no other site
 *  gets a referrer. @module */
import type { Context } from 'koa'
import { MAIL_LANGUAGES, type MailLanguage } from '../../accounts/mails/words/languages.ts'
import {
  ForeignFormError,
  InvalidTokenError,
  type RemoteError,
  TooManyRequestsError,
} from '../../protocol/errors.ts'
import { html } from '../html.ts'
import { ROOT } from './deps.ts'
import { errorScreen, type PageContext, type Screen, tokenField } from './screens.ts'
import { WORDS } from './words/languages.ts'
import type { PageTexts } from './words/words.ts'

const POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** The headers of everything below the path of the page. */
export function setPageHeaders(ctx: Context): void {
  ctx.set('Content-Security-Policy', POLICY)
  // with no-referrer, browsers would send `Origin: null` with the page's own forms
  ctx.set('Referrer-Policy', 'same-origin')
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('Cache-Control', 'no-store')
}

export function answerPage(ctx: Context, place: PageContext, screen: Screen, status = 200): void {
  setPageHeaders(ctx)
  ctx.status = status
  ctx.type = 'text/html; charset=UTF-8'
  ctx.body = page(ctx, place, screen)
}

function page(ctx: Context, place: PageContext, { title, main }: Screen): string {
  const { language, base } = place
  const words = WORDS[language]
  const root = base.slice(0, -language.length)
  const here = ctx.method === 'GET' ? ctx.url.slice(ROOT.length + language.length) || '/' : '/'
  const others = MAIL_LANGUAGES.filter(each => each !== language)
  const logOut =
    place.formToken === ''
      ? null
      : html`<form method="post" action="${base}/logout">${tokenField(place)}<button class="plain">${words.logOut}</button></form>`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${root}style.css">
</head>
<body>
<header><strong>${words.name}</strong>${logOut}</header>
<main><h1>${title}</h1>
${main}
</main>
<footer>${others.map(other => html`<a href="${root}${other}${here}" hreflang="${other}" lang="${other}">${WORDS[other].language}</a> `)}</footer>
</body>
</html>
`.text
}

/** @param root the path of the page as browsers see it, with a slash at its end */
export function answerErrorPage(ctx: Context, error: RemoteError, root: string): void {
  const language = languageOf(ctx)
  const place = { language, base: `${root}${language}`, formToken: '' }
  answerPage(ctx, place, errorScreen(place, kindOf(error)), error.status)
}

function kindOf(error: RemoteError): keyof PageTexts['errors'] {
  if (error instanceof InvalidTokenError) return 'link'
  if (error instanceof ForeignFormError) return 'elsewhere'
  if (error instanceof TooManyRequestsError) return 'tooMany'
  if (error.status === 404) return 'notFound'
  return error.status === 503 ? 'later' : 'failed'
}

/** The language of the path, else the one that the browser prefers. */
export function languageOf(ctx: Context): MailLanguage {
  const named = MAIL_LANGUAGES.find(language => `${ctx.path}/`.startsWith(`${ROOT}${language}/`))
  const preferred = ctx.acceptsLanguages(...MAIL_LANGUAGES)
  return named ?? MAIL_LANGUAGES.find(language => language === preferred) ?? 'en'
}
