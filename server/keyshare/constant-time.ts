/** The powers of a user's secrets take a time that says nothing of them with the arithmetic of OpenSSL alone; BigInt has no constant time. @module */
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
  const reason = 'because with it alone the powers of secrets take constant time'
  if (isProduction) refuse('arithmetic', `expected openssl in production, ${reason}, got ${name}`)
  log.warn(`arithmetic: ${name} may tell of secrets by its time; production needs openssl, ${reason}`)
}
