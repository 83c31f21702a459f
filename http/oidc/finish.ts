/** POST /sign-in/{uid}/finish and .../cancel: the end of a login. The answer contains the address from which the browser returns to the site. @module */
import type { Context } from 'koa'
import type { InteractionResults } from 'oidc-provider'
import { UnavailableError, UnexpectedRequestError } from '../../protocol/errors.ts'
import type { ClaimsParameter } from '../../sessions/sign-in/asked-claims.ts'
import type { LoginPlan } from '../../sessions/sign-in/plan.ts'
import { type LoginRefusal, refusal } from '../../sessions/sign-in/rules.ts'
import { answerJson } from '../answer.ts'
import type { InteractionDeps, LoginAnswer, OidcDeps } from './deps.ts'
import { type Disclosure, UntrustedResultError } from './disclosures.ts'
import { type Interaction, interactionOf, paramOf, runningLogin } from './interaction.ts'

type Refusal = { readonly error: string; readonly description: string }

const NOT_RETURNED = 'login: expected the wallet app to return to this browser, got a call before that'
const TWICE = 'login: expected one call to end it, got two: try again'
const REFUSED: Refusal = { error: 'access_denied', description: 'the user disclosed nothing' }

export function finish(deps: InteractionDeps): (ctx: Context) => Promise<void> {
  return async ctx => {
    const isCommitted = await deps.atOnce(async () => answerJson(ctx, { location: await end(ctx, deps) }))
    if (!isCommitted) throw new UnavailableError(TWICE)
  }
}

async function end(ctx: Context, deps: InteractionDeps): Promise<string> {
  const interaction = await interactionOf(ctx, deps)
  const running = await runningLogin(interaction, deps)
  if (running === null) {
    // the browser repeats the call: its answer got lost
    if (interaction.result !== undefined) return interaction.returnTo
    // the first call has ended the login after the interaction was read
    const hasEnded = (await deps.logins.find(interaction.uid))?.state.type === 'loggedIn'
    throw hasEnded ? new UnavailableError(TWICE) : tooEarly('none')
  }
  const { login, session } = running
  if (session.status === 'CANCELLED') return endWith(ctx, REFUSED, deps)
  if (session.status !== 'DONE') throw tooEarly(session.status)
  const { returnSecret, hasReturned } = login.state
  if (returnSecret !== null && !hasReturned) throw new UnexpectedRequestError(NOT_RETURNED)
  const answer = await answerOf(login.state.plan, session, deps)
  return answer.type === 'refused' ? endWith(ctx, answer, deps) : logIn(ctx, interaction, answer, deps)
}

export function cancel(deps: InteractionDeps): (ctx: Context) => Promise<void> {
  return async ctx => {
    const interaction = await interactionOf(ctx, deps)
    const running = await runningLogin(interaction, deps)
    if (running !== null) await running.session.cancel()
    answerJson(ctx, { location: await endWith(ctx, REFUSED, deps) })
  }
}

/** @returns a refusal for a result of another session, or for one with a wrong signature: the session server would give the same result again */
async function answerOf(
  plan: LoginPlan,
  session: Disclosure,
  { signIn, log }: Pick<OidcDeps, 'signIn' | 'log'>,
): Promise<LoginAnswer | LoginRefusal> {
  try {
    return signIn.answerOf(plan, await session.outcome())
  } catch (error) {
    if (!(error instanceof UntrustedResultError)) throw error
    log.error({ reason: error.message }, 'untrusted result of the session server')
    return refusal('server_error', 'the session server gave a result that is not the result of this login')
  }
}

function tooEarly(status: string): UnexpectedRequestError {
  return new UnexpectedRequestError(`login: expected a session that has ended, got status ${status}`)
}

/** @returns the address from which the browser returns to the site */
export function endWith(
  ctx: Context,
  { error, description }: Refusal | LoginRefusal,
  { provider }: Pick<OidcDeps, 'provider'>,
): Promise<string> {
  const result = { error, error_description: description }
  return provider().interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: false })
}

/** Stores the claims, and a grant for exactly the requested scopes and claims. The wallet app has asked the user for consent. */
async function logIn(
  ctx: Context,
  interaction: Interaction,
  answer: LoginAnswer,
  deps: InteractionDeps,
): Promise<string> {
  const { clock } = deps
  const unmet = unmetBy(interaction, answer, deps)
  if (unmet !== null) return endWith(ctx, unmet, deps)
  const { uid } = interaction
  const clientId = paramOf(interaction, 'client_id')
  const grantId = await grantOf(interaction, deps)
  const { sub, claims, acr } = answer
  await deps.logins.upsert(
    uid,
    { clientId, grantId, state: { type: 'loggedIn', sub, claims, acr } },
    lifetimeOf(deps),
  )
  await leaveEarlierLogin(ctx, interaction, deps)
  const login = {
    accountId: uid,
    ts: Math.floor(clock.wallNow() / 1_000),
    remember: false,
    ...(acr !== null && { acr }),
  }
  const result: InteractionResults = { login, consent: { grantId } }
  return deps.provider().interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: false })
}

/** Separates this login from an earlier one of the same browser, at another site or in another tab, which stays as it is. The cookie of the browser then names only
 *  the newest login, so this server links no two logins. */
async function leaveEarlierLogin(ctx: Context, interaction: Interaction, deps: OidcDeps): Promise<void> {
  if (interaction.session !== undefined) {
    interaction.session = undefined
    await interaction.persist()
  }
  const name = deps.provider().cookieName('session')
  for (const each of [name, `${name}.sig`])
    ctx.append('Set-Cookie', `${each}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`)
}

async function grantOf(interaction: Interaction, { provider }: Pick<OidcDeps, 'provider'>): Promise<string> {
  const { Grant } = provider()
  const clientId = paramOf(interaction, 'client_id')
  const grant = new Grant({ accountId: interaction.uid, clientId })
  grant.addOIDCScope(paramOf(interaction, 'scope'))
  grant.addOIDCClaims([...askedNames(paramOf(interaction, 'claims'))])
  return grant.save()
}

function askedNames(claims: string): ReadonlySet<string> {
  const asked: Readonly<Record<string, object | null | undefined>> = claims === '' ? {} : JSON.parse(claims)
  return new Set([asked.id_token, asked.userinfo].flatMap(each => Object.keys(each ?? {})))
}

/** The error for a demand of the site that this login does not meet; null: it meets all (OpenID Connect Core 3.1.2.1, 5.5.1.1). */
function unmetBy(
  interaction: Interaction,
  { sub, acr }: LoginAnswer,
  { signIn }: Pick<OidcDeps, 'signIn'>,
): Refusal | null {
  const { expectedSub = sub } = interaction.prompt.details
  const claims = signIn.readClaims(paramOf(interaction, 'claims'))
  if (expectedSub !== sub || !isSubMet(claims, sub))
    return { error: 'login_required', description: 'another user than the expected one logged in' }
  if (isAcrMet(claims, acr)) return null
  return { error: 'unmet_authentication_requirements', description: 'the login has another acr' }
}

/** A value for `sub` names the expected user, also if the claim is not essential (OpenID Connect Core 3.1.2.2). */
function isSubMet({ idToken }: ClaimsParameter, sub: string): boolean {
  const { values = null } = idToken.get('sub') ?? {}
  return values === null || values.some(value => value === sub)
}

function isAcrMet({ idToken }: ClaimsParameter, acr: string | null): boolean {
  const ask = idToken.get('acr')
  if (!ask?.isEssential || ask.values === null) return true
  return acr !== null && ask.values.some(value => value === acr)
}

/** Seconds until all tokens and the browser session of a login have expired. */
function lifetimeOf({ settings }: Pick<OidcDeps, 'settings'>): number {
  const { code, accessToken, idToken, login } = settings.lifetimes
  return Math.max(code + accessToken, code + idToken, login)
}
