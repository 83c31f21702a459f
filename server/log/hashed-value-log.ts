/** What the log of a server says of values that are longer than a key signs (spec/decisions#d25): of which credential type they are, never a value. @module */
import type { Logger } from 'pino'
import type { SignDeps } from '../../actors/effects/sign.ts'

export function hashedValueLog(log: Pick<Logger, 'warn'>): SignDeps['noteHashedValue'] {
  return credentialType =>
    log.warn(
      { credentialType },
      'an issued value is longer than its key signs, so that it is bound by its hash',
    )
}
