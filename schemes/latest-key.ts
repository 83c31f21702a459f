/** Warns before the latest public key of an issuer expires, which is the key that it issues with (spec/schemes-and-cli#16.6). @module */
import type { Issuer } from './types.ts'

/** The warning begins this long before the expiry of the key. */
export const SOON_SEC = 31 * 24 * 3_600

/** @returns null if the key is valid for longer, or if the issuer is deprecated or has no key */
export function warningAboutLatestKey(
  { id, publicKeys, deprecatedSinceSec }: Pick<Issuer, 'id' | 'publicKeys' | 'deprecatedSinceSec'>,
  nowSec: number,
): string | null {
  const latest = [...publicKeys.values()].at(-1)
  if (latest === undefined || deprecatedSinceSec !== null) return null
  if (latest.expiresAtSec < nowSec) return `Issuer ${id} has no nonexpired public keys`
  if (latest.expiresAtSec >= nowSec + SOON_SEC) return null
  const end = new Date(latest.expiresAtSec * 1_000).toISOString()
  return `Latest public key of issuer ${id} expires soon (at ${end})`
}
