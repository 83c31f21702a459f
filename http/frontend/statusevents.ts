/** GET {prefix}/session/{clientToken}/frontend/statusevents (spec/interface#4.4, #6): each change as a frontend status object; `DONE` with the pointer of the
 *  session that follows, as its commit has it. @module */
import { frontendStatus } from '../../protocol/frontend-messages.ts'
import type { SessionId } from '../../stores/session-store.ts'
import type { ServerDeps, SessionEndpoint } from '../deps.ts'
import type { EventStreams } from '../event-stream.ts'
import { nextPointerOf } from '../session-facts.ts'
import type { DescribeStatus } from '../status-feed.ts'

export function statusEvents(
  { sessions, settings }: Pick<ServerDeps, 'sessions' | 'settings'>,
  streams: EventStreams,
): SessionEndpoint {
  // the open stream keeps this function, so the function refers only to the id, and not to the call or the row of the session
  const describing =
    (id: SessionId): DescribeStatus =>
    async newStatus => {
      const row = await sessions.read(id)
      return frontendStatus(newStatus, row?.status === newStatus ? nextPointerOf(row, settings) : undefined)
    }
  return (ctx, session) => streams.open(ctx, session, 'frontend', describing(session.id))
}
