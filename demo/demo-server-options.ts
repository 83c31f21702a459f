/** Options of the demo's session servers. They have a file of their own, because they are part of the public types of the package. @module */
import type { Logger } from 'pino'
import type { Clock } from '../ports/clock.ts'
import type { Randomness } from '../ports/randomness.ts'

export type DemoServerOptions = {
  readonly clock: Clock
  readonly random: Randomness
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** additional host names, with their ports, that requests may contain */
  readonly hosts?: readonly string[]
  readonly arithmetic?: 'auto' | 'openssl' | 'bigint'
  /** number of threads for proofs; default: one per core */
  readonly threads?: number
}
