/** Converts rows of sessions and deliveries to table rows and back. @module */
import type { DeliveryState } from '../../machines/delivery.ts'
import { sessionDueAt } from '../../machines/session-snapshot.ts'
import { restoreRequest } from '../../protocol/request.ts'
import { restoreSentUpdates } from '../../protocol/sent-updates.ts'
import { restoreOutcome } from '../../sessions/result.ts'
import type { DeliveryRow, ListedDelivery } from '../delivery-store.ts'
import type { AnsweredCall, ListedSession, SessionRow } from '../session-store.ts'
import { restoreTokens, storedTokens } from '../stored-tokens.ts'
import type { DeliveryTable, SessionTable } from './schema.ts'

/** A byte order mark is part of the body, which the replay compares. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Writes a text for `fromJson`. */
export function asJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

/** Reads a text of this module; its type is known, because no other program writes the table. A damaged text gives null, and the session is then
 *  closed (spec/laws#4). The parser's message quotes the text, so it is dropped (spec/laws#6). */
export function fromJson(text: string | null) {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** The columns that a commit writes; the other columns are fixed when the session is created. */
export function changesOf(row: SessionRow) {
  const { answered } = row
  return {
    version: row.version,
    chart: row.chart,
    status: row.status,
    deadline_at: row.deadlineAt,
    due_at: sessionDueAt(row),
    snapshot: asJson(row.snapshot),
    claim: asJson(row.claim),
    claimed_body: row.claimedBody === null ? null : Buffer.from(row.claimedBody),
    progress: row.progress,
    answered_call: answered?.callHash ?? null,
    answered_version: answered?.version ?? null,
    answered_at: answered?.answeredAt ?? null,
    answer: asJson(answered?.answer ?? null),
    pairing_code: row.pairingCode,
    client_authorization: row.clientAuthorization,
    sent_updates: row.sentUpdates?.text ?? null,
    result: row.result?.text ?? null,
  }
}

export function toTable(row: SessionRow): SessionTable {
  const { clientToken, requestorToken, frontendToken } = storedTokens(row)
  return {
    id: row.id,
    ...changesOf(row),
    requestor_token_hash: row.requestorTokenHash,
    client_token: clientToken,
    requestor_token: requestorToken,
    frontend_token: frontendToken,
    requestor: row.requestor,
    profile: row.profile,
    request: row.request.text,
    nonce: row.nonce,
  }
}

function answeredOf(stored: SessionTable): AnsweredCall | null {
  const { answered_call: callHash, answered_version: version, answered_at: answeredAt } = stored
  const answer = fromJson(stored.answer)
  if (callHash === null || version === null || answeredAt === null || answer === null) return null
  return { callHash, version, answeredAt: Number(answeredAt), answer }
}

export type ListedSessionTable = Pick<
  SessionTable,
  'id' | 'version' | 'chart' | 'status' | 'deadline_at' | 'claim' | 'requestor' | 'snapshot'
>

export function listedFromTable(stored: ListedSessionTable): ListedSession {
  return {
    id: stored.id,
    version: stored.version,
    chart: stored.chart,
    status: stored.status as SessionRow['status'], // written by `toTable`
    deadlineAt: Number(stored.deadline_at),
    snapshot: fromJson(stored.snapshot),
    claim: fromJson(stored.claim),
    requestor: stored.requestor,
  }
}

export function fromTable(stored: SessionTable): SessionRow {
  const { client_token: clientToken, requestor_token: requestorToken, frontend_token: frontendToken } = stored
  return {
    ...listedFromTable(stored),
    claimedBody: stored.claimed_body === null ? null : utf8.decode(stored.claimed_body),
    progress: stored.progress,
    answered: answeredOf(stored),
    ...restoreTokens({ clientToken, requestorToken, frontendToken }, stored.requestor_token_hash),
    profile: stored.profile as SessionRow['profile'], // written by `toTable`
    request: restoreRequest(stored.request),
    nonce: stored.nonce,
    pairingCode: stored.pairing_code,
    clientAuthorization: stored.client_authorization,
    sentUpdates: stored.sent_updates === null ? null : restoreSentUpdates(stored.sent_updates),
    result: stored.result === null ? null : restoreOutcome(stored.result),
  }
}

export function deliveryToTable(row: DeliveryRow): DeliveryTable {
  const { id, owner, cause, version, chart, state, host, attempts, message } = row
  return {
    // these columns have names from the time when all deliveries were callbacks
    id,
    session: owner,
    status: cause,
    version,
    chart,
    state,
    host,
    requestor: row.requestor,
    owed_at: row.owedAt,
    give_up_at: row.giveUpAt,
    due_at: row.dueAt,
    attempts,
    boot_id: row.bootId,
    last_outcome: row.lastOutcome,
    message,
  }
}

/** The columns that a commit writes; the other columns are fixed when the delivery is inserted. */
export function deliveryChangesOf(row: DeliveryTable) {
  const { version, chart, state, due_at, give_up_at, attempts, boot_id, last_outcome, message } = row
  return { version, chart, state, due_at, give_up_at, attempts, boot_id, last_outcome, message }
}

export type ListedDeliveryTable = Pick<
  DeliveryTable,
  'id' | 'version' | 'state' | 'status' | 'owed_at' | 'due_at' | 'give_up_at' | 'attempts'
>

export function listedDeliveryFromTable(stored: ListedDeliveryTable): ListedDelivery {
  const { id, version, attempts } = stored
  return {
    id,
    version,
    attempts,
    cause: stored.status as DeliveryRow['cause'], // written by `deliveryToTable`, as is `state`
    state: stored.state as DeliveryState,
    owedAt: stored.owed_at,
    giveUpAt: stored.give_up_at,
    dueAt: stored.due_at,
  }
}

export function deliveryFromTable(stored: DeliveryTable): DeliveryRow {
  const { session: owner, chart, host, requestor, message } = stored
  return {
    ...listedDeliveryFromTable(stored),
    owner,
    chart,
    host,
    requestor,
    message,
    bootId: stored.boot_id,
    lastOutcome: stored.last_outcome,
  }
}
