/** Where short lists of proofs are checked: in a worker thread, or in the thread of the calls. A second thread must be woken for each, its caches are other
 *  ones, and what it says is copied; it is worth that only where it has a core of its own. @module */
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
