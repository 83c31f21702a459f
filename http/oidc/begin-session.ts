/** POST /sign-in/{uid}/session: a session with a code for the wallet app. The session before it is cancelled, so that only the newest code of a login works.
 *  @module */
import type { Context } from 'koa'
import { InvalidRequestError } from '../../protocol/errors.ts'
import { ShapeError } from '../../protocol/shape.ts'
import type { LoginAsk, LoginRequest } from '../../sessions/sign-in/login-request.ts'
import type { LoginRefusal } from '../../sessions/sign-in/rules.ts'
import { answerJson } from '../answer.ts'
import { appLink, drawnCode, isPhone } from './app-link.ts'
import type { InteractionDeps, OidcDeps } from './deps.ts'
import { type Interaction, interactionOf, paramOf, runningLogin, secondsLeft } from './interaction.ts'

export function beginSession(deps: InteractionDeps): (ctx: Context) => Promise<void> {
  const { logins, disclosures, settings } = deps
  return async ctx => {
    const interaction = await interactionOf(ctx, deps)
    const asked = askOf(interaction, deps)
    if (asked.type === 'refused') throw new InvalidRequestError(`login: ${asked.description}`)
    const before = await runningLogin(interaction, deps)
    if (before !== null) await disclosures.cancel(before.session)
    const onPhone = isPhone(ctx.get('User-Agent'))
    const { pointer, requestorToken, pairingCode } = await disclosures.open(asked.request, !onPhone)
    const state = { type: 'asked', requestorToken, plan: asked.plan, pairingCode, wrongCodes: 0 } as const
    const clientId = paramOf(interaction, 'client_id')
    await logins.upsert(interaction.uid, { clientId, state }, secondsLeft(interaction, deps))
    answerJson(ctx, {
      qr: drawnCode(pointer),
      app: appLink(pointer, settings.appLink),
      isPhone: onPhone,
      isAppOnWeb: settings.isAppOnWeb,
    })
  }
}

/** The request for the wallet, or why there is none. */
export function askOf(
  interaction: Interaction,
  { signIn }: Pick<OidcDeps, 'signIn'>,
): LoginRequest | LoginRefusal {
  try {
    const ask: LoginAsk = {
      clientId: paramOf(interaction, 'client_id'),
      scopes: words(paramOf(interaction, 'scope')),
      claims: signIn.readClaims(paramOf(interaction, 'claims')),
      acrValues: words(paramOf(interaction, 'acr_values')),
    }
    return signIn.requestOf(ask)
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    return { type: 'refused', error: 'invalid_request', description: error.message }
  }
}

function words(text: string): readonly string[] {
  return text.split(' ').filter(word => word !== '')
}
