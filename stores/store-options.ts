/** Options for opening a store, in addition to its name. @module */
import type { Clock } from '../ports/clock.ts'
import type { StoreLostError } from './store-error.ts'

/** `normal`: the commits of an SQLite file survive the end of the process; `full`: also a power cut. */
export const SYNCHRONOUS = ['normal', 'full'] as const
export type Synchronous = (typeof SYNCHRONOUS)[number]

export type StoreOptions = {
  readonly clock?: Clock
  /** logs once when the store begins to fail, and once when it works again; the message names the file and the remedy */
  readonly tell?: { readonly failing: (message: string) => void; readonly working: (message: string) => void }
  /** logs weaker guarantees than the store could give, and problems that an operator should fix although the store works */
  readonly warn?: (message: string) => void
  /** called once if another process has taken over the store: this one cannot use it any more, and should end */
  readonly lost?: (error: StoreLostError) => void
  /** for a store in an SQLite file; by default `normal` */
  readonly synchronous?: Synchronous
}
