/** GET {prefix}/session/{clientToken}/frontend/statusevents (spec 4.4, 6): each change as a frontend status object. @module */
import { frontendStatus } from '../../protocol/frontend-messages.ts'
import type { SessionEndpoint } from '../deps.ts'
import type { EventStreams } from '../event-stream.ts'

export function statusEvents(streams: EventStreams): SessionEndpoint {
  return (ctx, session) => streams.open(ctx, session, newStatus => frontendStatus(newStatus))
}
