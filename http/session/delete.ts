/** DELETE /session/{requestorToken} and {prefix}/session/{clientToken} (spec/interface#4.1, #4.2), with either token: an open session becomes `CANCELLED`, at
 *  once also while a submission is handled; a finished one does not change. 200 without a body in both cases. @module */
import { SessionUnknownError } from '../../protocol/errors.ts'
import { answerEmpty } from '../answer.ts'
import type { ServerDeps, SessionEndpoint } from '../deps.ts'
import type { EventStreams } from '../event-stream.ts'
import type { StreamOwner } from '../last-sent.ts'
import { isOfOwner } from './is-of-owner.ts'

/** @param owner of the token. A stream of this owner need not report an end that the owner caused itself. */
export function deleteSession(
  { sessions }: Pick<ServerDeps, 'sessions'>,
  streams: Pick<EventStreams, 'noteAnswer'>,
  owner: StreamOwner,
): SessionEndpoint {
  return async (ctx, session) => {
    const turn = await sessions.turn(session.id, () => ({ event: { type: 'cancelled' } }))
    // the chart refuses only finished sessions
    const status = 'refused' in turn ? turn.refused : 'CANCELLED'
    if (status === 'unknown') throw new SessionUnknownError()
    answerEmpty(ctx)
    if (isOfOwner(ctx, owner, session)) streams.noteAnswer(ctx, owner, { id: session.id, status })
  }
}
