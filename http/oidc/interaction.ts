/** The interaction of a login: the browser that began it, and the record of its session. Another browser has no cookie of it, and gets 404. @module */
import type { Context } from 'koa'
import { errors, type Provider } from 'oidc-provider'
import { NotFoundError } from '../../protocol/errors.ts'
import type { Login, OidcDeps } from './deps.ts'
import type { Disclosure } from './disclosures.ts'

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** @throws {NotFoundError} if the login has ended, or if another browser began it */
export async function interactionOf(
  ctx: Context,
  { provider }: Pick<OidcDeps, 'provider'>,
): Promise<Interaction> {
  const found = await provider()
    .interactionDetails(ctx.req, ctx.res)
    .catch((error: unknown) => {
      if (error instanceof errors.SessionNotFound) return null
      throw error
    })
  if (found === null || found.uid !== ctx.params.uid) throw new NotFoundError()
  return found
}

/** A parameter of the authorization request; empty: it was not sent. */
export function paramOf({ params }: Pick<Interaction, 'params'>, name: string): string {
  const value = params[name]
  return typeof value === 'string' ? value : ''
}

type AskedLogin = Login & { readonly state: Extract<Login['state'], { readonly type: 'asked' }> }

export type RunningLogin = { readonly login: AskedLogin; readonly session: Disclosure }

/** The newest session of the login.
 *  @returns null: there is no session, or the login has its claims already */
export async function runningLogin(
  { uid }: Pick<Interaction, 'uid'>,
  { logins, disclosures }: Pick<OidcDeps, 'logins' | 'disclosures'>,
): Promise<RunningLogin | null> {
  const found = await logins.find(uid)
  if (found?.state.type !== 'asked') return null
  const { clientId, state } = found
  const session = await disclosures.find(state)
  return session && { login: { clientId, state }, session }
}

/** Seconds until the interaction ends. */
export function secondsLeft({ exp }: Pick<Interaction, 'exp'>, { clock }: Pick<OidcDeps, 'clock'>): number {
  return Math.max(1, exp - Math.floor(clock.wallNow() / 1_000))
}
