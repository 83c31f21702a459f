/** The limits of a server that no option changes, and those of its small listeners. @module */
import type { Limits } from './settings.ts'

/** The longest head of a request by default: browsers send all cookies of a site, and proxies let 32 KiB pass. */
export const HEAD_BYTES = 2 ** 16

/** The longest form that a page sends: an address, a token and their names. */
export const FORM_BYTES = 4_096

export const FIXED_LIMITS: Omit<Limits, 'stopMs' | 'stopDelayMs' | 'stopIdleMs' | 'streams' | 'headBytes'> = {
  bodyBytes: 10 * 2 ** 20,
  readingMs: 10_000,
  idleMs: 65_000,
  handlingMs: 4_000,
  outcomeMs: 15_000,
  retryAfterSec: 2,
}

/** The limits of a listener that has no options: the inspector, metrics and the tour. */
export const SMALL_LISTENER_LIMITS = { ...FIXED_LIMITS, headBytes: HEAD_BYTES } as const
