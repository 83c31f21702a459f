/** POST {prefix}/session/{clientToken}/frontend/pairingcompleted (spec 4.4): the user typed the code, so the app may go on. 204. The body is ignored:
 *  the frontend compares the codes. @module */
import type { Decide } from '../../actors/sessions.ts'
import { SessionUnknown, UnexpectedRequest } from '../../protocol/errors.ts'
import { answerNoContent } from '../answer.ts'
import type { ServerDeps, SessionEndpoint } from '../deps.ts'

const confirm: Decide = (row, can) => {
  if (!can({ type: 'frontend.paired' }))
    throw new UnexpectedRequest(`pairing: expected status PAIRING, got ${row.status}`)
  return { event: { type: 'frontend.paired' } }
}

export function pairingCompleted({ sessions }: Pick<ServerDeps, 'sessions'>): SessionEndpoint {
  return async (ctx, { id }) => {
    const turn = await sessions.deliver(id, confirm)
    if ('refused' in turn) throw turn.refused === 'unknown' ? new SessionUnknown() : new UnexpectedRequest()
    answerNoContent(ctx)
  }
}
