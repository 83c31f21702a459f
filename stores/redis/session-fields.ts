/** A session as the fields of a hash. Long values have their own fields, without encoding; fixed values are written once. @module */
import { isOver } from '../../machines/session-snapshot.ts'
import { restoreRequest } from '../../protocol/request.ts'
import { restoreSentUpdates } from '../../protocol/sent-updates.ts'
import { restoreOutcome } from '../../sessions/result.ts'
import type { ListedSession, SessionRow } from '../session-store.ts'
import { restoreTokens, storedTokens } from '../stored-tokens.ts'
import { objectIn, readJson } from './stored-json.ts'

/** The fields that a commit changes. */
const CHANGING = ['v', 'row', 'answer', 'body', 'progress', 'updates', 'result'] as const
const FIXED = ['fixed', 'request'] as const
/** The fields that a list shows. */
const LISTED = ['v', 'row', 'fixed'] as const

type Field = (typeof CHANGING)[number] | (typeof FIXED)[number]

/** The fields to read for a row. */
export const fieldsOf = {
  whole: [...CHANGING, ...FIXED],
  /** if the fixed fields are known */
  changing: CHANGING,
  listed: LISTED,
} as const satisfies Record<string, readonly Field[]>

/** @returns fields with their values, and the names of the fields to delete */
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
  const { requestorTokenHash, requestor, profile, nonce, request } = row
  const fixed = { ...storedTokens(row), requestorTokenHash, requestor, profile, nonce }
  return ['fixed', JSON.stringify(fixed), 'request', request.text]
}

type Values = readonly (string | null)[]

/** @param values of `fieldsOf.whole`
 *  @returns null: there is no such row */
export function wholeRow(id: string, values: Values): SessionRow | null {
  const at = (field: Field): string | null => values[fieldsOf.whole.indexOf(field)] ?? null
  const [fixed, request] = [at('fixed'), at('request')]
  if (fixed === null || request === null) return null
  const { clientToken, requestorToken, frontendToken, requestorTokenHash, ...known } = readJson(fixed)
  const tokens = restoreTokens({ clientToken, requestorToken, frontendToken }, requestorTokenHash)
  return changingRow(id, values, { ...known, ...tokens, request: restoreRequest(request) })
}

/** @param values of `fieldsOf.changing`
 *  @param known an earlier version of the row
 *  @returns null: there is no such row, or no longer */
export function changingRow(id: string, values: Values, known: SessionRow): SessionRow | null {
  const [version, row, answer, body, progress, updates, result] = values
  if (!version || !row) return null
  return {
    ...known,
    id,
    version: Number(version),
    ...(objectIn(row) ?? lostRow(known, typeof result === 'string')),
    answered: answer ? (objectIn(answer) as SessionRow['answered']) : null, // written by `changingFields`
    claimedBody: body ?? null,
    progress: progress ?? null,
    sentUpdates: updates ? restoreSentUpdates(updates) : null,
    result: result ? restoreOutcome(result) : null,
  }
}

/** The values in place of a damaged text; the snapshot is lost. The gate closes such a session without its chart (spec/laws#4), now or with its next event.
 *  A session that had ended keeps its state until it is deleted.
 *  @param known an earlier version of the row; if this node has never read it, its deadline counts as elapsed */
function lostRow(known: Partial<SessionRow>, hasResult: boolean) {
  const { status = 'INITIALIZED', deadlineAt = 0, pairingCode = null, clientAuthorization = null } = known
  const wasOver = hasResult || isOver(status)
  return {
    chart: wasOver ? null : 1,
    status: wasOver && !isOver(status) ? ('CANCELLED' as const) : status,
    deadlineAt,
    pairingCode,
    clientAuthorization,
    snapshot: null,
    claim: null,
  }
}

/** @param values of `fieldsOf.listed`
 *  @returns null: there is no such row, or it is damaged and a list skips it */
export function listedRow(id: string, values: Values): ListedSession | null {
  const [version, row, fixed] = values
  if (!version || !row || !fixed) return null
  const [changing, known] = [objectIn(row), objectIn(fixed)]
  if (changing === null || known === null) return null
  const { chart, status, deadlineAt, claim, snapshot } = changing
  return {
    id,
    version: Number(version),
    chart,
    status,
    deadlineAt,
    claim,
    snapshot,
    requestor: known.requestor,
  }
}
