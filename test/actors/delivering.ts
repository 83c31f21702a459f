/** Deliveries on a store, for tests: with a clock that the test moves, and lists of all attempts, notifications and reports. @module */
import type { AttemptOutcome } from '../../actors/deliveries/attempt.ts'
import { createDeliveries } from '../../actors/deliveries/deliveries.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { Store } from '../../stores/store.ts'
import { commitSession } from '../stores/commits.ts'
import { owedRow, sessionRow } from '../stores/rows.ts'
import { settle } from './node.ts'

export const HOUR = 3_600_000
export const START = 1_000
const backoff = { firstMs: 1_000, maxMs: 60_000 }

export const accepted = (attempt: number): AttemptOutcome => ({
  event: { type: 'receiver.accepted', attempt },
  words: 'answered 204',
})
export const failed = (attempt: number): AttemptOutcome => ({
  event: { type: 'receiver.failed', attempt, backoff },
  words: 'answered 500',
})

type World = {
  readonly store: Store
  readonly clock: SimulatedClock
  /** ids and times of attempts */
  readonly posted: (readonly [id: string, at: number])[]
  readonly reports: string[]
  readonly told: string[]
  owe(...rows: readonly DeliveryRow[]): Promise<void>
  close(): Promise<void>
}

export function startWorld(
  post: (row: DeliveryRow, stop: AbortSignal) => Promise<AttemptOutcome>,
  store: Store = createMemoryStore(),
  clock: SimulatedClock = createSimulatedClock(START),
): World {
  const posted: [string, number][] = []
  const reports: string[] = []
  const told: string[] = []
  const deliveries = createDeliveries({
    store,
    clock,
    bootId: 'boot A',
    post(row, stop) {
      posted.push([row.id, clock.now()])
      return post(row, stop)
    },
    notify: ({ id, state }) => told.push(`${id} ${state}`),
    report: (id, error) => reports.push(`${id}: ${error}`),
  })
  return {
    store,
    clock,
    posted,
    reports,
    told,
    close: () => deliveries.close(),
    async owe(...owed) {
      const [first] = owed
      await commitSession(store, `id-${first?.id}`, 0, sessionRow(first?.id ?? ''), { owed })
      await settle()
    },
  }
}

export function owed(id: string, changes: Partial<DeliveryRow> = {}): DeliveryRow {
  return owedRow(id, { dueAt: START, owedAt: START, giveUpAt: START + 24 * HOUR, ...changes })
}
