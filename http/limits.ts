/** The limits of a server that no option changes. @module */
import type { Limits } from './settings.ts'

export const FIXED_LIMITS: Omit<Limits, 'stopMs' | 'stopDelayMs' | 'streams'> = {
  bodyBytes: 10 * 2 ** 20,
  readingMs: 10_000,
  idleMs: 65_000,
  handlingMs: 4_000,
  outcomeMs: 15_000,
  retryAfterSec: 2,
}
