/** DELETE /session/{requestorToken} and {prefix}/session/{clientToken} (spec/interface#4.1, #4.2), by anyone: a session that goes on becomes `CANCELLED`, at
 *  once also while a submission is handled; a finished one stays as it is. 200 without a body in both cases. @module */
import { SessionUnknown } from '../../protocol/errors.ts'
import { answerEmpty } from '../answer.ts'
import type { ServerDeps, SessionEndpoint } from '../deps.ts'

export function deleteSession({ sessions }: Pick<ServerDeps, 'sessions'>): SessionEndpoint {
  return async (ctx, { id }) => {
    const turn = await sessions.turn(id, () => ({ event: { type: 'cancelled' } }))
    // what the chart refuses is a session that is over
    if ('refused' in turn && turn.refused === 'unknown') throw new SessionUnknown()
    answerEmpty(ctx)
  }
}
