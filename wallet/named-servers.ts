/** Calls to servers that a scheme names, beside the session server. @module */
import type { Clock } from '../ports/clock.ts'
import type { Fetch } from '../ports/fetch.ts'

export type NamedServerDeps = {
  readonly fetch: Fetch
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** on: plain HTTP is accepted */
  readonly developerMode: boolean
}
