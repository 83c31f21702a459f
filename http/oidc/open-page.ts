/** GET /sign-in/{uid}: the page of a login. A request that no wallet could answer returns to the site at once. @module */
import type { Context } from 'koa'
import { setBrowserHeaders } from './answer-page.ts'
import { askOf } from './begin-session.ts'
import type { InteractionDeps } from './deps.ts'
import { endWith } from './finish.ts'
import { interactionOf, paramOf } from './interaction.ts'
import { answerSignInPage } from './sign-in-page.ts'

export function openPage(deps: InteractionDeps, root: string): (ctx: Context) => Promise<void> {
  return async ctx => {
    const interaction = await interactionOf(ctx, deps)
    const asked = askOf(interaction, deps)
    if (asked.type === 'refused') {
      const next = await endWith(ctx, asked, deps)
      setBrowserHeaders(ctx)
      ctx.redirect(next)
      ctx.status = 303
      return
    }
    const clientId = paramOf(interaction, 'client_id')
    const client = await deps.provider().Client.find(clientId)
    const site = client?.clientName || clientId
    answerSignInPage(ctx, { site, uiLocales: paramOf(interaction, 'ui_locales'), root })
  }
}
