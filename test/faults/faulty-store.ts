/** A store whose commits fail on demand, in each of the possible ways, or are delayed. @module */
import type { Store } from '../../stores/store.ts'
import { StoreError } from '../../stores/store-error.ts'
import { withChanges } from '../stores/with-changes.ts'

/** `fails`: nothing is written, an error. `loses`: another commit was faster. `unknown`: it is written, and then an error. `refuses`: the commit can never be stored. */
export type Fault = 'fails' | 'loses' | 'unknown' | 'refuses'

export type FaultyStore = Store & {
  /** the faults of the next commits, in order; `null`: no fault */
  readonly faults: (Fault | null)[]
  /** commits wait for this before they begin */
  hold: Promise<void>
  commits: number
}

export function faultyStore(inner: Store): FaultyStore {
  const store: FaultyStore = {
    ...withChanges(inner, {}),
    faults: [],
    hold: Promise.resolve(),
    commits: 0,
    async commit(...commit) {
      await store.hold
      store.commits += 1
      const fault = store.faults.shift()
      if (fault === 'fails') throw new StoreError('the store is gone')
      if (fault === 'refuses') throw new Error('expected a row that can be stored')
      if (fault === 'loses') return false
      const isCommitted = await inner.commit(...commit)
      if (fault === 'unknown') throw new StoreError('the connection broke')
      return isCommitted
    },
  }
  return store
}
