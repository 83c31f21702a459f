/** The account page (spec/keyshare-server#13.3, #15): the actions of a user without the wallet app, behind a mailed link. The server renders the pages, and they
 *  work without scripts. @module */
import type Koa from 'koa'
import type { Context } from 'koa'
import { MAIL_LANGUAGES, type MailLanguage } from '../../accounts/mails/words/languages.ts'
import { answerErrors } from '../answer-errors.ts'
import { mountTables, type Route, refuse } from '../mount.ts'
import { account, addAddress } from './account.ts'
import { answerErrorPage, languageOf, setPageHeaders } from './answer-page.ts'
import { ask, asked } from './ask.ts'
import { askDeletion, deleteAccount } from './delete.ts'
import { type AccountPageDeps, ROOT } from './deps.ts'
import { confirm, followLink, logIn, logOut, verify } from './links.ts'
import { overview } from './overview.ts'
import { requireOwnForm } from './own-form.ts'
import { STYLE } from './style.ts'
import { type Visit, visitOf } from './visit.ts'

/** The facts that admission found out about a call. */
export type PageCallerTypes = {
  anybody: null
  /** null: no user is logged in, or the visit has ended */
  visitor: Visit | null
}

type Routes = readonly Route<PageCallerTypes>[]

/** Below the path of a language. */
function pages(deps: AccountPageDeps, language: MailLanguage, root: string): Routes {
  const at = { ...deps, place: { language, base: `${root}${language}` } }
  const one = '/accounts/:id'
  // biome-ignore format: a table is read by its columns
  return [
    // method     path               caller     body       limit       errors  endpoint
    ['GET',       '/',               'visitor', '-',       'handling', 'json', overview(at)],
    ['GET',       '/login',          'anybody', '-',       'handling', 'json', ask(at)],
    ['POST',      '/login',          'anybody', 'form',    'handling', 'json', asked(at)],
    ['GET',       '/login/:token',   'anybody', '-',       'handling', 'json', followLink(at, 'login')],
    ['POST',      '/login/:token',   'anybody', 'form',    'handling', 'json', logIn(at)],
    ['GET',       '/confirm/:token', 'anybody', '-',       'handling', 'json', followLink(at, 'confirm')],
    ['POST',      '/confirm/:token', 'anybody', 'form',    'handling', 'json', confirm(at)],
    ['GET',       one,               'visitor', '-',       'handling', 'json', account(at)],
    ['POST',      `${one}/address`,  'visitor', 'form',    'handling', 'json', addAddress(at)],
    ['GET',       `${one}/delete`,   'visitor', '-',       'handling', 'json', askDeletion(at)],
    ['POST',      `${one}/delete`,   'visitor', 'form',    'handling', 'json', deleteAccount(at)],
    ['POST',      '/logout',         'visitor', 'form',    'handling', 'json', logOut(at)],
  ]
}

/** The routes that are the same in every language.
 *  @param root the path of the page as browsers see it, with a slash at its end */
function others(root: string): Routes {
  const toLanguage = (ctx: Context): void => {
    ctx.redirect(`${root}${languageOf(ctx)}/`)
  }
  const style = (ctx: Context): void => {
    ctx.set('Cache-Control', 'max-age=3600')
    ctx.type = 'text/css; charset=UTF-8'
    ctx.body = STYLE
  }
  // biome-ignore format: a table is read by its columns
  return [
    ['GET',       '{/}',             'anybody', '-',       '-',        'json', toLanguage],
    ['GET',       '/style.css',      'anybody', '-',       '-',        'json', style],
    ['otherwise', '{/*rest}',        'anybody', '-',       '-',        'json', refuse],
  ]
}

export function mountAccountPage(app: Koa, deps: AccountPageDeps): void {
  const root = `${new URL(deps.pageUrl).pathname}/`
  const admit = {
    async anybody(ctx: Context) {
      requireOwnForm(ctx, deps)
      return null
    },
    async visitor(ctx: Context) {
      requireOwnForm(ctx, deps)
      return visitOf(ctx, deps)
    },
  }
  const answering = answerErrors(deps, (ctx, error) => answerErrorPage(ctx, error, root))
  app.use(async function answeringPages(ctx, next) {
    if (!`${ctx.path}/`.startsWith(ROOT)) return next()
    setPageHeaders(ctx)
    return answering(ctx, next)
  })
  const tables = [
    ...MAIL_LANGUAGES.map(language => ({
      prefix: `${ROOT}${language}`,
      routes: pages(deps, language, root),
      answersHead: true,
    })),
    { prefix: ROOT.slice(0, -1), routes: others(root), answersHead: true },
  ]
  mountTables(app, tables, admit, deps)
  // pages of operators, which may be on another site, call it; it begins no visit
  const raw: Routes = [['POST', '/verify', 'anybody', 'form', 'handling', 'json', verify(deps)]]
  mountTables(app, [{ prefix: '', routes: raw }], { ...admit, anybody: async () => null }, deps)
}
