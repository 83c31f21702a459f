/** Counts the logins and the token requests of the provider, by the events that it emits. @module */
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { LoginOutcome, SignInFigures } from '../../actors/metrics/sign-in-figures.ts'
import type { OpenLogins } from '../../actors/oidc/open-logins.ts'
import type { Clock } from '../../ports/clock.ts'

export type WatchDeps = {
  readonly signIns: SignInFigures
  readonly openLogins: Pick<OpenLogins, 'begun' | 'ended'>
  readonly clock: Pick<Clock, 'wallNow'>
  /** seconds until a login expires */
  readonly lifetimeSec: number
}

export function watchProvider(provider: Provider, deps: WatchDeps): void {
  const { signIns, openLogins, lifetimeSec } = deps
  const end = (ctx: KoaContextWithOIDC, outcome: LoginOutcome): void => endLogin(ctx, outcome, deps)
  provider.on('interaction.started', ctx => {
    const client = clientOf(ctx)
    const { Interaction: login } = ctx.oidc.entities
    signIns.begun(client)
    if (login !== undefined) openLogins.begun(login.uid, client, lifetimeSec)
  })
  provider.on('authorization.success', ctx => end(ctx, 'done'))
  provider.on('authorization.error', (ctx, error) =>
    end(ctx, codeOf(error) === 'access_denied' ? 'refused' : 'error'),
  )
  provider.on('grant.success', ctx => signIns.tokenAsked(clientOf(ctx), null))
  provider.on('grant.error', (ctx, error) => signIns.tokenAsked(clientOf(ctx), codeOf(error)))
  provider.on('server_error', ctx => {
    if (ctx.oidc?.route === 'token') signIns.tokenAsked(clientOf(ctx), 'server_error')
    else end(ctx, 'error')
  })
}

/** Counts the end of a login. A request that is refused at once began no login, so nothing is counted for it. */
function endLogin(ctx: KoaContextWithOIDC, outcome: LoginOutcome, deps: WatchDeps): void {
  const { Interaction: login } = ctx.oidc?.entities ?? {}
  if (login === undefined) return
  const { signIns, openLogins, clock } = deps
  openLogins.ended(login.uid)
  const seconds = login.iat === undefined ? null : clock.wallNow() / 1_000 - login.iat
  signIns.finished(clientOf(ctx), outcome, seconds)
}

/** @returns empty: the caller did not authenticate as a client */
function clientOf({ oidc }: KoaContextWithOIDC): string {
  return oidc?.client?.clientId ?? ''
}

function codeOf({ error }: Pick<errors.OIDCProviderError, 'error'>): string {
  return error
}
