/** Compares a received text with a secret. The time it takes does not reveal how much of it was right. @module */
import { hash, timingSafeEqual } from 'node:crypto'

/** Digests are compared, so that the lengths do not show either. */
export function isSameSecret(sent: string, secret: string): boolean {
  return timingSafeEqual(digest(sent), digest(secret))
}

function digest(text: string): Uint8Array {
  return hash('sha256', text, 'buffer')
}
