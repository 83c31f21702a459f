/** The label `requestor` of a figure: a name of the settings, so that it has few values and none that somebody outside chooses. @module */

/** The most requestors that have figures of their own. */
const MAX_REQUESTORS = 100
const OTHERS = 'other'

/** @param names as the settings have them; empty without authentication
 *  @returns the label of a requestor; those past the bound, and those that the settings name no longer, share one */
export function requestorLabel(names: readonly string[]): (name: string) => string {
  const own = new Set(['', ...names.slice(0, MAX_REQUESTORS)])
  return name => (own.has(name) ? name : OTHERS)
}
