/** Log lines about values that are too long for a key to sign directly (spec/decisions#d25). A line names the credential type, never a value. @module */
import type { Logger } from 'pino'
import type { SignDeps } from '../../actors/effects/sign.ts'

export function hashedValueLog(log: Pick<Logger, 'warn'>): SignDeps['noteHashedValue'] {
  return credentialType =>
    log.warn(
      { credentialType },
      'an issued value is longer than its key signs, so that it is bound by its hash',
    )
}
