/** The label `requestor` of a figure: a name in the settings. It has few values, and a client cannot choose them. @module */

/** Maximum number of requestors with a label of their own. */
const MAX_REQUESTORS = 100
const OTHERS = 'other'

/** @param names as in the settings; empty without authentication
 *  @returns the label of a requestor; requestors beyond the bound, or no longer in the settings, share one label */
export function requestorLabel(names: readonly string[]): (name: string) => string {
  const own = new Set(['', ...names.slice(0, MAX_REQUESTORS)])
  return name => (own.has(name) ? name : OTHERS)
}
