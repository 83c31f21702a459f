/** Passes the paths of the provider to it. Its addresses follow from the issuer of the settings alone: no header of a caller changes them. @module */
import type Koa from 'koa'
import type { Context, Next } from 'koa'
import type { Provider } from 'oidc-provider'
import { setBrowserHeaders } from './answer-page.ts'
import type { OidcDeps } from './deps.ts'

const PATHS =
  /^\/(?:\.well-known\/openid-configuration|authorize|token|userinfo|jwks|introspect|revoke|par|logout)(?:\/|$)/

export function mountProvider(
  app: Koa,
  { provider, settings }: Pick<OidcDeps, 'provider' | 'settings'>,
): void {
  let last: { readonly of: Provider; readonly handle: ReturnType<Provider['callback']> } | null = null
  const { host, protocol, pathname } = new URL(settings.issuer)
  const mounted = pathname.replace(/\/$/, '')
  app.use(async function passedToProvider(ctx: Context, next: Next) {
    if (!PATHS.test(ctx.path)) return next()
    const { req, res } = ctx
    for (const name of Object.keys(req.headers)) if (name.startsWith('x-forwarded-')) delete req.headers[name]
    req.headers.host = host
    req.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    Object.assign(req, { originalUrl: `${mounted}${req.url}` })
    setBrowserHeaders(ctx)
    ctx.respond = false
    res.statusCode = 404 // as Koa has it for a request without an answer
    const now = provider()
    if (last?.of !== now) last = { of: now, handle: now.callback() }
    await last.handle(req, res)
  })
}
