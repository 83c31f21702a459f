/** GET /session/{requestorToken}/status and {prefix}/session/{clientToken}/status (spec/interface#4.1, #4.2): the status as a JSON string. @module */
import { answerJson } from '../answer.ts'
import { isConnectedApp } from '../app/call.ts'
import type { SessionEndpoint } from '../deps.ts'
import type { EventStreams } from '../event-stream.ts'
import type { Owner } from '../last-told.ts'

/** @param owner of the token. The client token is in the code that a page shows: an answer below it is the app's if the app says so. */
export function status(streams: Pick<EventStreams, 'noteAnswer'>, owner: Owner): SessionEndpoint {
  return (ctx, session) => {
    answerJson(ctx, session.status)
    if (owner !== 'app' || isConnectedApp(ctx, session)) streams.noteAnswer(ctx, owner, session)
  }
}
