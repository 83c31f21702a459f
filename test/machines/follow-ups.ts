/** What the chart does after a valid submission, read off a stored snapshot. @module */
import type { StoredSnapshot } from '../../machines/session-snapshot.ts'

/** What a valid submission leads to. */
export function followUpsOf(stored: StoredSnapshot | null): { hasNextSession: boolean; issues: boolean } {
  const { hasNextSession, issues }: Record<string, unknown> = { ...Object(stored?.context) }
  return { hasNextSession: hasNextSession === true, issues: issues === true }
}
