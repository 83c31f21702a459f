/** Options of the demo's session servers. These types are separate, because programs that use the package can see them. @module */
import type { Logger } from 'pino'
import type { Clock } from '../ports/clock.ts'
import type { Randomness } from '../ports/randomness.ts'

export type MemoryOptions = {
  readonly clock: Clock
  readonly random: Randomness
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** additional host names, with their ports, that requests may contain */
  readonly hosts?: readonly string[]
  readonly arithmetic?: 'auto' | 'openssl' | 'bigint'
  /** number of threads for proofs; default: one per core */
  readonly threads?: number
}
