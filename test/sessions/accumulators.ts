/** Accumulators signed by an issuer of the demo schemes, and updates with them; their numbers have no meaning. @module */
import {
  eventHash,
  type RevocationEvent,
  type RevocationUpdate,
  type SignedAccumulator,
  signAccumulator,
} from '../../crypto/revocation/accumulator.ts'
import { parseIssuerId } from '../../protocol/ids.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { DEMO_SCHEMES } from '../project.ts'

const key = (await loadSchemes(DEMO_SCHEMES)).privateKey(parseIssuerId('svc-demo.fast'), 0)

export type At = { readonly index: number; readonly atSec: number }

const FIRST_PARENT = Uint8Array.of(0x12, 0x20, ...new Uint8Array(32))

export function accumulatorAt(at: At, keyCounter = 0, hash: Uint8Array = FIRST_PARENT): SignedAccumulator {
  if (key === undefined) throw new Error('the demo schemes have this key')
  return signAccumulator({ ...at, nu: 1n, eventHash: hash }, key, keyCounter)
}

/** An update with all events from the first one on. */
export function updateAt({ index, atSec }: At): RevocationUpdate {
  let parentHash: Uint8Array = FIRST_PARENT
  const events: RevocationEvent[] = []
  for (let i = 0; i <= index; i++) {
    const event = { index: i, e: BigInt(2 * i + 1), parentHash }
    events.push(event)
    parentHash = eventHash(event)
  }
  return { signed: accumulatorAt({ index, atSec }, 0, parentHash), events }
}
