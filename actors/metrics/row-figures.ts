/** How long the store takes to read and to commit the rows of actors, and how often it fails. @module */
import type { Meter } from '../../ports/meter.ts'
import type { KindTypes, RowsOf } from '../kind.ts'

/** The kind of a stored row. */
export type StoredRowKind = 'session' | 'delivery' | 'account'
const OPERATIONS = ['load', 'commit'] as const
type Operation = (typeof OPERATIONS)[number]

const STORE_SEC = [0.000_1, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

export type RowFigures = {
  /** @returns the same rows, with each call measured */
  readonly measured: <T extends KindTypes>(stored: StoredRowKind, rows: RowsOf<T>) => RowsOf<T>
}

export function rowFigures(meter: Meter): RowFigures {
  const durations = meter.durations(
    {
      name: 'svc_store_seconds',
      help: 'Time that the store takes to read a row or to commit one, of this node alone',
      labels: ['stored', 'operation'],
    },
    STORE_SEC,
  )
  const failures = meter.counter(
    {
      name: 'svc_store_failures_total',
      help: 'Reads and commits that failed in the store, or whose outcome is unknown',
      labels: ['operation'],
    },
    OPERATIONS.map(operation => ({ operation })),
  )

  async function measuring<Result>(
    stored: StoredRowKind,
    operation: Operation,
    work: Promise<Result>,
  ): Promise<Result> {
    const beganAt = meter.now()
    try {
      return await work
    } catch (error) {
      failures({ operation })
      throw error
    } finally {
      durations({ stored, operation }, (meter.now() - beganAt) / 1_000)
    }
  }

  return {
    measured: (stored, rows) => ({
      load: id => measuring(stored, 'load', rows.load(id)),
      commit: (change, inserts) => measuring(stored, 'commit', rows.commit(change, inserts)),
    }),
  }
}
