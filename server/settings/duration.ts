/** Durations as options write them: a number with its unit. @module */

export const DURATION = /^[1-9][0-9]{0,5}(ms|s|m|h)$/

/** A duration, or `0s`. */
export const DELAY = new RegExp(`^0s$|${DURATION.source}`)

/** The longest time of a timer: one that is set for longer fires at once. */
const LONGEST_MS = 2 ** 31 - 1

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** @param text that `DURATION` or `DELAY` matches */
export function durationMs(text: string): number {
  const [number, unit] = [Number.parseInt(text, 10), text.replace(/^[0-9]+/, '')]
  return number * (UNIT_MS[unit] ?? Number.NaN)
}

/** @param text that `DURATION` matches
 *  @returns true if a timer can be set for this time */
export function isTimed(text: string): boolean {
  return durationMs(text) <= LONGEST_MS
}
