/** Only the arithmetic of OpenSSL computes powers of a user's secrets in constant time. BigInt does not. @module */
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { refuse } from '../settings/checks.ts'
import type { World } from '../world.ts'

/** @throws {SettingsError} in production, for the other arithmetic */
export function requireConstantTime(
  name: Arithmetic['name'],
  isProduction: boolean,
  log: Pick<World['log'], 'warn'>,
): void {
  if (name === 'openssl') return
  const reason = 'because only openssl computes powers of secrets in constant time'
  if (isProduction) refuse('arithmetic', `expected openssl in production, ${reason}, got ${name}`)
  log.warn(`arithmetic: the time that ${name} takes may reveal secrets; production needs openssl, ${reason}`)
}
