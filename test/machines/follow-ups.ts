/** Reads the steps after a valid submission from a stored snapshot. @module */
import type { StoredSnapshot } from '../../machines/session-snapshot.ts'

/** The steps after a valid submission. */
export function followUpsOf(stored: StoredSnapshot | null): { hasNextSession: boolean; issues: boolean } {
  const { hasNextSession, issues }: Record<string, unknown> = { ...Object(stored?.context) }
  return { hasNextSession: hasNextSession === true, issues: issues === true }
}
