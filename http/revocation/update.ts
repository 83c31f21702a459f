/** GET {prefix}/revocation/{type}/update/{count} and update/{count}/{keyCounter} (spec/cryptography#14.7): the latest accumulators with the
 *  last `count` events, 0: all. Caches may keep them until they are signed again. @module */
import { SIGNED_ANEW_SEC } from '../../actors/revocation/revocation.ts'
import { type RevocationUpdate, readAccumulator } from '../../crypto/revocation/accumulator.ts'
import { encodeUpdate, encodeUpdates } from '../../protocol/revocation-cbor.ts'
import type { Endpoint, ServerDeps } from '../deps.ts'
import { answerCbor } from './answer.ts'
import { numberIn, ofServedType } from './served.ts'

type Deps = Pick<ServerDeps, 'revocation' | 'clock'>

const NULL = Uint8Array.of(0xf6)

export function updates(deps: Deps): Endpoint {
  return ofServedType(deps, async (ctx, served) => {
    const all = await served.updates(numberIn(ctx, 'count'))
    answerCbor(ctx, encodeUpdates(all), maxAgeSec([...all.values()], deps))
  })
}

/** CBOR null for a key counter without an accumulator. */
export function updateOfKey(deps: Deps): Endpoint {
  return ofServedType(deps, async (ctx, served) => {
    const keyCounter = numberIn(ctx, 'keyCounter')
    const update = (await served.updates(numberIn(ctx, 'count'))).get(keyCounter)
    if (update) answerCbor(ctx, encodeUpdate(update), maxAgeSec([update], deps))
    else answerCbor(ctx, NULL, 0)
  })
}

function maxAgeSec(all: readonly RevocationUpdate[], { clock }: Deps): number {
  const oldestAtSec = Math.min(...all.map(({ signed }) => readAccumulator(signed).atSec))
  const restSec = oldestAtSec + SIGNED_ANEW_SEC - Math.floor(clock.wallNow() / 1_000)
  return Math.min(SIGNED_ANEW_SEC, Math.max(0, restSec)) // the clock may have been set back
}
