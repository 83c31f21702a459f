/** GET {prefix}/revocation/{type}/events/{keyCounter}/{min}/{max} (spec/cryptography#14.7): events with min <= index < max. All clients
 *  ask for the same intervals, so caches may keep them for an hour. @module */
import { RevocationError } from '../../protocol/errors.ts'
import { encodeEvents } from '../../protocol/revocation-cbor.ts'
import { SHORTEST_INTERVAL } from '../../protocol/revocation-urls.ts'
import type { Endpoint, ServerDeps } from '../deps.ts'
import { answerCbor } from './answer.ts'
import { numberIn, ofServedType } from './served.ts'

const HOUR_SEC = 3_600

export function events(deps: Pick<ServerDeps, 'revocation'>): Endpoint {
  return ofServedType(deps, async (ctx, served) => {
    const [keyCounter, min, max] = [numberIn(ctx, 'keyCounter'), numberIn(ctx, 'min'), numberIn(ctx, 'max')]
    if (min >= max || min % SHORTEST_INTERVAL !== 0 || max % SHORTEST_INTERVAL !== 0)
      throw new RevocationError('illegal update interval')
    answerCbor(ctx, encodeEvents(await served.events(keyCounter, min, max)), HOUR_SEC)
  })
}
