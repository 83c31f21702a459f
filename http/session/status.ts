/** GET /session/{requestorToken}/status and {prefix}/session/{clientToken}/status (spec/interface#4.1, #4.2): the status as a JSON string. @module */
import { answerJson } from '../answer.ts'
import type { SessionEndpoint } from '../deps.ts'
import type { EventStreams } from '../event-stream.ts'
import type { StreamOwner } from '../last-sent.ts'
import { isOfOwner } from './is-of-owner.ts'

/** @param owner of the token */
export function status(streams: Pick<EventStreams, 'noteAnswer'>, owner: StreamOwner): SessionEndpoint {
  return (ctx, session) => {
    answerJson(ctx, session.status)
    if (isOfOwner(ctx, owner, session)) streams.noteAnswer(ctx, owner, session)
  }
}
