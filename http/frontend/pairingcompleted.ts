/** POST {prefix}/session/{clientToken}/frontend/pairingcompleted (spec/interface#4.4): the user typed the code, so the app may continue. 204. The body is ignored:
 *  the frontend compares the codes. @module */
import type { RefusedStep } from '../../actors/sessions.ts'
import { type RemoteError, SessionUnknownError, UnexpectedRequestError } from '../../protocol/errors.ts'
import { answerNoContent } from '../answer.ts'
import type { ServerDeps, SessionEndpoint } from '../deps.ts'

export function pairingCompleted({ sessions }: Pick<ServerDeps, 'sessions'>): SessionEndpoint {
  return async (ctx, { id }) => {
    const turn = await sessions.turn(id, () => ({ event: { type: 'frontend.paired' } }))
    if ('refused' in turn) throw refusal(turn.refused)
    answerNoContent(ctx)
  }
}

function refusal(status: RefusedStep['refused']): RemoteError {
  if (status === 'unknown') return new SessionUnknownError()
  return new UnexpectedRequestError(`pairing: expected status PAIRING, got ${status}`)
}
