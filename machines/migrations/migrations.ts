/** Migrates a stored snapshot from the chart that wrote it to the next one, number by number. Each step is pure, accepts any stored value, and never changes
 *  once released. Values that cannot have been written are rejected when the result wakes. @module */
import { chainsAndIssuance } from './0001-chains-and-issuance.ts'
import { fetchedOnce } from './0002-fetched-once.ts'
import { paired } from './0003-paired.ts'

export type StoredSnapshot = { readonly value: unknown; readonly context: unknown }

/** The migrations, by the number of the chart that wrote the snapshot. */
export const MIGRATIONS: ReadonlyMap<number, (stored: StoredSnapshot) => StoredSnapshot> = new Map([
  [1, chainsAndIssuance],
  [2, fetchedOnce],
  [3, paired],
])
