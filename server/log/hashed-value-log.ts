/** Log lines about values that are longer than a key signs (spec/decisions#d25): their credential type, never a value. @module */
import type { Logger } from 'pino'
import type { SignDeps } from '../../actors/effects/sign.ts'

export function hashedValueLog(log: Pick<Logger, 'warn'>): SignDeps['noteHashedValue'] {
  return credentialType =>
    log.warn(
      { credentialType },
      'an issued value is longer than its key signs, so that it is bound by its hash',
    )
}
