/** The clock of a running program. @module */

export const systemClock = {
  /** Unix ms */
  now: (): number => Date.now(),
  setTimeout: (action: () => void, ms: number): NodeJS.Timeout => setTimeout(action, ms),
  clearTimeout: (timer: NodeJS.Timeout): void => clearTimeout(timer),
}
