/** The hash that stands for a token wherever the token itself must not: ids of sessions, indexes, logs. @module */
import { hash } from 'node:crypto'

/** @returns 32 hex digits of SHA-256 */
export function hashOfToken(token: string): string {
  return hash('sha256', token).slice(0, 32)
}
