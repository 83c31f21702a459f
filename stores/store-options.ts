/** What a store that is opened is given besides its name. @module */
import type { Clock } from '../ports/clock.ts'
import type { StoreLost } from './store-failure.ts'

/** Whether the commits of an SQLite file survive the end of the process alone, or a power cut, too (`full`). */
export const SYNCHRONOUS = ['normal', 'full'] as const
export type Synchronous = (typeof SYNCHRONOUS)[number]

export type StoreOptions = {
  readonly clock?: Clock
  /** logs once when the store begins to fail, and once when that is over; the message names the file and what can be done */
  readonly tell?: { readonly failing: (message: string) => void; readonly working: (message: string) => void }
  /** logs what the store promises less of than it could, or what an operator should mend though the store does its work */
  readonly warn?: (message: string) => void
  /** called once if another process has taken the store over: this one can do nothing more with it, and should end */
  readonly lost?: (error: StoreLost) => void
  /** of a store in an SQLite file; by default `normal` */
  readonly synchronous?: Synchronous
}
