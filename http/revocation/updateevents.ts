/** GET {prefix}/revocation/{type}/updateevents (spec/cryptography#14.7): an event stream of every new accumulator from now on, each an update in
 *  JSON: with the new events after a revocation, without events when it was only signed again. @module */
import { writeUpdate } from '../../protocol/revocation-json.ts'
import type { Endpoint, ServerDeps } from '../deps.ts'
import type { EventStreams } from '../event-stream.ts'
import { ofServedType, typeIn } from './served.ts'

export function updateEvents(deps: Pick<ServerDeps, 'revocation'>, streams: EventStreams): Endpoint {
  return ofServedType(deps, (ctx, { follow }) =>
    streams.follow(ctx, typeIn(ctx), notify => follow(update => notify(writeUpdate(update)))),
  )
}
