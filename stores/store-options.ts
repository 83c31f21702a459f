/** What a store that is opened is given besides its name. @module */
import type { Clock } from '../ports/clock.ts'
import type { StoreLost } from './store-failure.ts'

export type StoreOptions = {
  readonly clock?: Clock
  /** logs once when the store begins to fail, and once when that is over; the message names the file and what can be done */
  readonly tell?: { readonly failing: (message: string) => void; readonly working: (message: string) => void }
  /** logs what the store promises less of than it could, when it is opened */
  readonly warn?: (message: string) => void
  /** called once if another process has taken the store over: this one can do nothing more with it, and should end */
  readonly lost?: (error: StoreLost) => void
}
