/** Calls to the servers that a scheme names; the session server is not among them. @module */
import type { Clock } from '../../ports/clock.ts'
import type { Fetch } from '../../ports/fetch.ts'

export type NamedServerDeps = {
  readonly fetch: Fetch
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** true: plain HTTP is accepted */
  readonly developerMode: boolean
}
