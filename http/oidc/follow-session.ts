/** GET /sign-in/{uid}/events: each change of the newest session of a login, as a JSON string. @module */
import type { Context } from 'koa'
import { NotFoundError } from '../../protocol/errors.ts'
import type { InteractionDeps } from './deps.ts'
import { interactionOf, runningLogin } from './interaction.ts'

export function followSession(deps: InteractionDeps): (ctx: Context) => Promise<void> {
  return async ctx => {
    const running = await runningLogin(await interactionOf(ctx, deps), deps)
    if (running === null) throw new NotFoundError()
    await running.session.follow(ctx, deps.streams)
  }
}
