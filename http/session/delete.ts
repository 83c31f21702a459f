/** DELETE /session/{requestorToken} and {prefix}/session/{clientToken} (spec 4.1, 4.2), by anyone: a session that goes on becomes `CANCELLED`, at
 *  once also while a submission is handled; a finished one stays as it is. 200 without a body in both cases. @module */
import type { Decide } from '../../actors/sessions.ts'
import { SessionUnknown } from '../../protocol/errors.ts'
import { answerEmpty } from '../answer.ts'
import type { ServerDeps, SessionEndpoint } from '../deps.ts'

const event = { type: 'cancelled' } as const
const cancel: Decide = (_row, can) => (can(event) ? { event } : null)

export function deleteSession({ sessions }: Pick<ServerDeps, 'sessions'>): SessionEndpoint {
  return async (ctx, { id }) => {
    const turn = await sessions.deliver(id, cancel)
    if ('refused' in turn && turn.refused === 'unknown') throw new SessionUnknown()
    answerEmpty(ctx)
  }
}
