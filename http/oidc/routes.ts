/** Every endpoint of `svc oidc` that oidc-provider does not have: the sign-in page with its calls, health, and below the prefix of the profile the endpoints for
 *  wallet apps. @module */
import type Koa from 'koa'
import type { Context } from 'koa'
import { requireOwnForm } from '../account-page/own-form.ts'
import { answerErrors } from '../answer-errors.ts'
import { health, ready } from '../health.ts'
import { mountTables, type Route, refuse } from '../mount.ts'
import { answerErrorPage } from './answer-page.ts'
import { beginSession } from './begin-session.ts'
import type { InteractionDeps } from './deps.ts'
import { cancel, finish } from './finish.ts'
import { followSession } from './follow-session.ts'
import { formRequest } from './form-request.ts'
import { openPage } from './open-page.ts'
import { SCRIPT } from './page-script.ts'
import { pair } from './pairing.ts'
import { rootOf } from './root.ts'
import { STYLE } from './style.ts'

type Callers = { anybody: null; 'own page': null }
type Routes = readonly Route<Callers>[]

const HOUR_SEC = 3_600

function pageRoutes(deps: InteractionDeps): Routes {
  // biome-ignore format: a table is read by its columns
  return [
    // method     path                      caller      body       limit       errors  endpoint
    ['GET',       '/style.css',             'anybody',  '-',       '-',        'json', constant('text/css', STYLE)],
    ['GET',       '/sign-in.js',            'anybody',  '-',       '-',        'json', constant('text/javascript', SCRIPT)],
    ['GET',       '/:uid',                  'anybody',  '-',       'handling', 'json', openPage(deps, rootOf(deps.settings))],
  ]
}

function callRoutes(deps: InteractionDeps): Routes {
  // biome-ignore format: a table is read by its columns
  return [
    ['POST',      '/:uid/session',          'own page', 'request', 'starting', 'json', beginSession(deps)],
    ['GET',       '/:uid/events',           'own page', '-',       'handling', 'json', followSession(deps)],
    ['POST',      '/:uid/pairing',          'own page', 'request', 'handling', 'json', pair(deps)],
    ['POST',      '/:uid/finish',           'own page', 'request', 'handling', 'json', finish(deps)],
    ['POST',      '/:uid/cancel',           'own page', 'request', 'handling', 'json', cancel(deps)],
    ['otherwise', '{/*rest}',               'anybody',  '-',       'handling', 'json', refuse],
  ]
}

/** POST at two addresses of the provider, which answers GET there. */
function formRoutes({ settings: { issuer } }: InteractionDeps): Routes {
  // biome-ignore format: a table is read by its columns
  return [
    ['POST',      '/authorize',             'anybody',  'form',    'handling', 'json', formRequest(`${issuer}/authorize`)],
    ['POST',      '/logout',                'anybody',  'form',    'handling', 'json', formRequest(`${issuer}/logout`)],
  ]
}

function healthRoutes(deps: InteractionDeps): Routes {
  // biome-ignore format: a table is read by its columns
  return [
    ['GET',       '/health',                'anybody',  '-',       '-',        'json', health],
    ['GET',       '/health/ready',          'anybody',  '-',       '-',        'json', ready(deps)],
  ]
}

/** A file of the page, which is the same for every login. */
function constant(type: string, text: string): (ctx: Context) => void {
  return ctx => {
    ctx.set('Cache-Control', `max-age=${HOUR_SEC}`)
    ctx.set('X-Content-Type-Options', 'nosniff')
    ctx.type = `${type}; charset=UTF-8`
    ctx.body = text
  }
}

const PREFIX = '/sign-in'

export function mountSignIn(app: Koa, deps: InteractionDeps): void {
  const root = rootOf(deps.settings)
  const pageUrl = deps.settings.issuer
  const admit = {
    anybody: async () => null,
    async 'own page'(ctx: Context) {
      requireOwnForm(ctx, { pageUrl })
      return null
    },
  }
  const answering = answerErrors(deps, (ctx, { status, message }) =>
    answerErrorPage(ctx, { root, status, detail: status < 500 ? message : '' }),
  )
  app.use(async function answeringPages(ctx, next) {
    const isPage =
      ctx.path.startsWith(`${PREFIX}/`) && ctx.method === 'GET' && ctx.accepts('json', 'html') === 'html'
    return isPage ? answering(ctx, next) : next()
  })
  const tables = [
    { prefix: '', routes: healthRoutes(deps), answersHead: true },
    { prefix: '', routes: formRoutes(deps) },
    { prefix: PREFIX, routes: pageRoutes(deps), answersHead: true },
    { prefix: PREFIX, routes: callRoutes(deps) },
  ]
  mountTables(app, tables, admit, deps)
}
