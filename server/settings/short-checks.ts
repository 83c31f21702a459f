/** Decides where short lists of proofs are checked: in a worker thread, or in the main thread, which also handles the calls. A worker must be woken for each list, does
 *  not share the main thread's caches, and its answers are copied. It saves time only if it has a core of its own. @module */
import { availableParallelism } from 'node:os'

export const SHORT_CHECKS = ['auto', 'here', 'threads'] as const

/** @param cores that this process may use */
export function placeOfShortChecks(
  wanted: (typeof SHORT_CHECKS)[number],
  cores = availableParallelism(),
): 'here' | 'threads' {
  if (wanted !== 'auto') return wanted
  return cores === 1 ? 'here' : 'threads'
}
