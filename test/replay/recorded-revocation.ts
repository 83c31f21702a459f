/** The revocation state of a recorded server at the beginning: the first update that it sent for each credential type and key. Transcripts without
 *  an update do not show it. @module */
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { type CredentialTypeId, parseCredentialTypeId } from '../../protocol/ids.ts'
import { readJson } from '../../protocol/json.ts'
import { readUpdate } from '../../protocol/revocation-json.ts'
import type { Store } from '../../stores/store.ts'
import type { JsonText } from './json-text.ts'
import type { Bodies } from './raw-exchange.ts'

export type RecordedAccumulator = {
  readonly type: CredentialTypeId
  readonly keyCounter: number
  readonly update: RevocationUpdate
}

type SentUpdate = { readonly type: string; readonly counter: string; readonly update: JsonText }

/** The updates in the session request that the app gets, or in the client request around it. */
export function updatesIn(response: JsonText | undefined): SentUpdate[] {
  const request = response?.members.get('request') ?? response
  const byType = request?.members.get('revocation')?.members ?? new Map<string, JsonText>()
  return [...byType].flatMap(([type, asked]) =>
    [...(asked.members.get('updates')?.members ?? [])].map(([counter, update]) => ({
      type,
      counter,
      update,
    })),
  )
}

export function accumulatorsOf(bodies: readonly Bodies[]): RecordedAccumulator[] {
  const first = new Map<string, RecordedAccumulator>()
  for (const { type, counter, update } of bodies.flatMap(({ response }) => updatesIn(response)))
    if (!first.has(`${type} ${counter}`))
      first.set(`${type} ${counter}`, {
        type: parseCredentialTypeId(type),
        keyCounter: Number(counter),
        update: readUpdate(readJson(update.text), 'update'),
      })
  return [...first.values()]
}

/** Replaces the first state of a new authority, which is event 0 and an accumulator. */
export async function storeAccumulators(
  accumulators: readonly RecordedAccumulator[],
  store: Store,
): Promise<void> {
  const changes = accumulators.map(({ type, keyCounter, update: { signed, events } }) => ({
    row: { type, keyCounter, version: 2, signed, index: events.at(-1)?.index ?? 0 },
    events: events.slice(1),
  }))
  if (!(await store.commit({ accumulators: changes })))
    throw new Error('expected the first version of every accumulator')
}
