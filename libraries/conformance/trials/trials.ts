/** The rows that can be observed from outside, each with its trial. Rows that only an operator can observe or set, and rows about wallets only, are left out.
 *  @module */
import { type RowId, RULES } from '../rows.ts'
import { TRIALS_OF_AUTHENTICATION } from './authentication.ts'
import { TRIALS_OF_DISCLOSE } from './disclose.ts'
import { TRIALS_OF_ENDPOINTS } from './endpoints.ts'
import { TRIALS_OF_EVENTS_AND_ERRORS } from './events-and-errors.ts'
import { TRIALS_OF_FRONTENDS } from './frontend.ts'
import { TRIALS_OF_MESSAGES } from './messages.ts'
import { TRIALS_OF_REQUESTS } from './requests.ts'
import { TRIALS_OF_RESULTS } from './results.ts'
import { TRIALS_OF_SD_JWTS } from './sd-jwts.ts'
import { TRIALS_OF_SIGNED_MESSAGES } from './signed-messages.ts'
import { TRIALS_OF_SIGNED_RESULTS } from './signed-results.ts'
import { TRIALS_OF_STATES } from './states.ts'
import type { Trial, Trials } from './trial.ts'
import { TRIALS_OF_VERSIONS } from './versions.ts'

const TRIALS: Trials = {
  ...TRIALS_OF_REQUESTS,
  ...TRIALS_OF_DISCLOSE,
  ...TRIALS_OF_RESULTS,
  ...TRIALS_OF_MESSAGES,
  ...TRIALS_OF_SD_JWTS,
  ...TRIALS_OF_SIGNED_MESSAGES,
  ...TRIALS_OF_FRONTENDS,
  ...TRIALS_OF_STATES,
  ...TRIALS_OF_ENDPOINTS,
  ...TRIALS_OF_AUTHENTICATION,
  ...TRIALS_OF_SIGNED_RESULTS,
  ...TRIALS_OF_EVENTS_AND_ERRORS,
  ...TRIALS_OF_VERSIONS,
}

export type RowTrial = { readonly id: RowId; readonly rule: string; readonly trial: Trial }

const isRow = (id: string): id is RowId => id in RULES

/** Sorted in the order of the specification. */
export const ROW_TRIALS: readonly RowTrial[] = Object.keys(RULES)
  .filter(isRow)
  .flatMap(id => {
    const { [id]: trial } = TRIALS
    return trial ? [{ id, rule: RULES[id], trial }] : []
  })

/** @param beginnings of row ids; empty: all rows
 *  @throws {Error} for a beginning that matches no row */
export function rowsThat(beginnings: readonly string[]): readonly RowTrial[] {
  const begins =
    (beginning: string) =>
    ({ id }: RowTrial) =>
      id === beginning || id.startsWith(`${beginning} `) || id.startsWith(`${beginning}.`)
  for (const beginning of beginnings)
    if (!ROW_TRIALS.some(begins(beginning)))
      throw new Error(
        `--row: expected a row that can be seen from outside, or how its name begins, as "2.8" or "4.1 GET status"; got ${JSON.stringify(beginning)}`,
      )
  if (beginnings.length === 0) return ROW_TRIALS
  return ROW_TRIALS.filter(row => beginnings.some(each => begins(each)(row)))
}
