/** GET /sign-in/{uid}: the page of a login. If no wallet could answer the request, the browser returns to the site at once. It also returns if the login has ended
 *  already: then the browser has lost the answer to the call that ended it. @module */
import type { Context } from 'koa'
import { isSameSecret } from '../secrets.ts'
import { redirectBrowser } from './answer-page.ts'
import { askOf, RETURNED } from './begin-session.ts'
import type { InteractionDeps } from './deps.ts'
import { endWith } from './finish.ts'
import { type Interaction, interactionOf, paramOf, runningLogin, secondsLeft } from './interaction.ts'
import { answerSignInPage } from './sign-in-page.ts'

export function openPage(deps: InteractionDeps, root: string): (ctx: Context) => Promise<void> {
  return async ctx => {
    const interaction = await interactionOf(ctx, deps)
    if (interaction.result !== undefined) return redirectBrowser(ctx, interaction.returnTo)
    const asked = askOf(interaction, deps)
    if (asked.type === 'refused') return redirectBrowser(ctx, await endWith(ctx, asked, deps))
    const clientId = paramOf(interaction, 'client_id')
    const client = await deps.provider().Client.find(clientId)
    const site = client?.clientName || clientId
    const hasReturned = await noteReturn(ctx.query[RETURNED], interaction, deps)
    const uiLocales = paramOf(interaction, 'ui_locales')
    const leftSec = secondsLeft(interaction, deps)
    answerSignInPage(ctx, { site, uiLocales, root, hasReturned, leftSec })
  }
}

/** Stores that the wallet app has opened this page, in the browser that began the login.
 *  @returns false if the app did not open it */
async function noteReturn(
  secret: string | readonly string[] | undefined,
  interaction: Interaction,
  deps: InteractionDeps,
): Promise<boolean> {
  if (typeof secret !== 'string') return false
  const { login } = (await runningLogin(interaction, deps)) ?? {}
  const expected = login?.state.returnSecret ?? null
  if (login === undefined || expected === null || !isSameSecret(secret, expected)) return false
  const state = { ...login.state, hasReturned: true }
  await deps.logins.upsert(interaction.uid, { ...login, state }, secondsLeft(interaction, deps))
  return true
}
