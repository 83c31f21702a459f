/** A session as the fields of a hash: what one side of this file writes, the other reads back. What is long has a field of its own, as it is. What is fixed is written once. @module */
import { restoreRequest } from '../../protocol/request.ts'
import { restoreSentUpdates } from '../../protocol/sent-updates.ts'
import { restoreOutcome } from '../../sessions/result.ts'
import type { ListedSession, SessionRow } from '../session-store.ts'

/** What a commit changes. */
const CHANGING = ['v', 'row', 'answer', 'body', 'progress', 'updates', 'result'] as const
const FIXED = ['fixed', 'request'] as const
/** What a list shows. */
const LISTED = ['v', 'row', 'fixed'] as const

type Field = (typeof CHANGING)[number] | (typeof FIXED)[number]

/** The fields that are asked for of a row. */
export const fieldsOf = {
  whole: [...CHANGING, ...FIXED],
  /** for whoever knows the rest */
  changing: CHANGING,
  listed: LISTED,
} as const satisfies Record<string, readonly Field[]>

/** @returns fields with their values, and the names of those that are not there */
export function changingFields(row: SessionRow): {
  readonly set: readonly string[]
  readonly unset: readonly string[]
} {
  const { chart, status, deadlineAt, snapshot, claim, pairingCode, clientAuthorization, answered } = row
  const optional: readonly (readonly [Field, string | null])[] = [
    ['answer', answered === null ? null : JSON.stringify(answered)],
    ['body', row.claimedBody],
    ['progress', row.progress],
    ['updates', row.sentUpdates?.text ?? null],
    ['result', row.result?.text ?? null],
  ]
  const written = { chart, status, deadlineAt, snapshot, claim, pairingCode, clientAuthorization }
  const set = ['v', String(row.version), 'chart', String(chart ?? 0), 'row', JSON.stringify(written)]
  const unset: string[] = []
  for (const [field, value] of optional)
    if (value === null) unset.push(field)
    else set.push(field, value)
  return { set, unset }
}

export function fixedFields(row: SessionRow): readonly string[] {
  const { clientToken, requestorToken, frontendToken, requestor, profile, nonce, request } = row
  const fixed = { clientToken, requestorToken, frontendToken, requestor, profile, nonce }
  return ['fixed', JSON.stringify(fixed), 'request', request.text]
}

type Values = readonly (string | null)[]

/** @param values of `fieldsOf.whole`
 *  @returns null: there is no such row */
export function wholeRow(id: string, values: Values): SessionRow | null {
  const at = (field: Field): string | null => values[fieldsOf.whole.indexOf(field)] ?? null
  const [fixed, request] = [at('fixed'), at('request')]
  if (fixed === null || request === null) return null
  return changingRow(id, values, { ...readJson(fixed), request: restoreRequest(request) })
}

/** @param values of `fieldsOf.changing`
 *  @param known the row as it was at some time
 *  @returns null: there is no such row (any more) */
export function changingRow(id: string, values: Values, known: SessionRow): SessionRow | null {
  const [version, row, answer, body, progress, updates, result] = values
  if (!version || !row) return null
  return {
    ...known,
    id,
    version: Number(version),
    ...readJson(row),
    answered: answer ? readJson(answer) : null,
    claimedBody: body ?? null,
    progress: progress ?? null,
    sentUpdates: updates ? restoreSentUpdates(updates) : null,
    result: result ? restoreOutcome(result) : null,
  }
}

/** @param values of `fieldsOf.listed` */
export function listedRow(id: string, values: Values): ListedSession | null {
  const [version, row, fixed] = values
  if (!version || !row || !fixed) return null
  const { chart, status, deadlineAt, claim, snapshot } = readJson(row)
  return {
    id,
    version: Number(version),
    chart,
    status,
    deadlineAt,
    claim,
    snapshot,
    requestor: readJson(fixed).requestor,
  }
}

/** What this program wrote: the form is known, since nobody else writes the key.
 *  @throws {Error} for a text that was damaged, without quoting it (law 6) */
export function readJson(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('store: expected a text that this program wrote, got one that was damaged')
  }
}
