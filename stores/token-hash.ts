/** The hash that replaces a token in ids of sessions, in indexes and in logs, where the token itself must not appear. @module */
import { hash } from 'node:crypto'

/** @returns 32 hex digits of SHA-256 */
export function hashOfToken(token: string): string {
  return hash('sha256', token).slice(0, 32)
}
