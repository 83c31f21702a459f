/** GET /session/{requestorToken}/statusevents and {prefix}/session/{clientToken}/statusevents (spec/interface#4.1, #4.2, #6): each change of status as a JSON
 *  string. @module */
import type { SessionEndpoint } from '../deps.ts'
import type { EventStreams } from '../event-stream.ts'
import type { StreamOwner } from '../last-sent.ts'

export function statusEvents(streams: EventStreams, owner: StreamOwner): SessionEndpoint {
  return (ctx, session) => streams.open(ctx, session, owner, newStatus => newStatus)
}
