/** An authority for tests: its credential type, its settings, and the credentials that it issues. @module */
import type { CredentialToIssue, RevocationSettings } from '../../actors/revocation/revocation.ts'
import { parseCredentialTypeId } from '../../protocol/ids.ts'

export const BADGE = parseCredentialTypeId('svc-demo.fast.badge')
export const NOW_SEC = 1_780_000_000

export const AUTHORITY: RevocationSettings = {
  isAuthority: true,
  isServer: true,
  serverUrl: null,
  toleranceSec: null,
  hasStream: false,
}

/** A credential that is about to be signed. */
export function credential(
  revocationKey: string,
  changes: Partial<CredentialToIssue> = {},
): CredentialToIssue {
  const times = { issuedAtSec: NOW_SEC, validUntilSec: NOW_SEC + 1_000 }
  return { type: BADGE, keyCounter: 0, revocationKey, ...times, ...changes }
}

export function there<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('expected a value, got none')
  return value
}
