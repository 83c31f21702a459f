/** What a session server of the demo is given. These types stand by themselves, because programs that use the package see them. @module */
import type { Logger } from 'pino'
import type { Clock } from '../ports/clock.ts'
import type { Randomness } from '../ports/randomness.ts'

export type MemoryOptions = {
  readonly clock: Clock
  readonly random: Randomness
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** names of requestors, with their ports, that requests may give besides the address of the server */
  readonly hosts?: readonly string[]
  readonly arithmetic?: 'auto' | 'openssl' | 'bigint'
  /** for the work on proofs; as many as the processor has, unless said */
  readonly threads?: number
}
