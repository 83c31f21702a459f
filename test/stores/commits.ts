/** Commits of one part of a store, and helpers for refused ones. @module */
import * as assert from 'uvu/assert'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import type { AccumulatorChange } from '../../stores/revocation-store.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import type { Inserts, Store } from '../../stores/store.ts'

export function commitSession(
  store: Pick<Store, 'commit'>,
  id: string,
  version: number,
  row: SessionRow | null,
  inserts: Inserts = {},
): Promise<boolean> {
  return store.commit({ session: { id, version, row }, inserts })
}

export function commitDelivery(
  store: Pick<Store, 'commit'>,
  id: string,
  version: number,
  row: DeliveryRow | null,
): Promise<boolean> {
  return store.commit({ delivery: { id, version, row } })
}

export function commitAccumulators(
  store: Pick<Store, 'commit'>,
  accumulators: readonly AccumulatorChange[],
): Promise<boolean> {
  return store.commit({ accumulators })
}

export async function rejects(work: Promise<unknown>): Promise<void> {
  const outcome = await work.then(
    () => 'fulfilled',
    () => 'rejected',
  )
  assert.is(outcome, 'rejected')
}
