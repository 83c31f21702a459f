/** The callback that a session owes at its end (spec/session-server#14). The commit of the final status stores content and address, because the session
 *  may be forgotten long before its result has arrived. @module */
import { DELIVERY_CHART, newDelivery } from '../../machines/delivery.ts'
import { addressOf } from '../../ports/outgoing-address.ts'
import { restoreJson } from '../../protocol/json.ts'
import type { ProfileName } from '../../protocol/profiles.ts'
import type { SessionType } from '../../protocol/request.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import { type SessionRow, type SessionStatus, sentTokenOf } from '../../stores/session-store.ts'

/** Secret: token, address, attributes. */
export type CallbackMessage = {
  readonly url: string
  readonly requestorToken: string
  readonly type: SessionType
  readonly validitySec: number
  readonly isLegacy: boolean
  readonly profile: ProfileName
  /** as `storeOutcome` wrote it; null: no result */
  readonly result: string | null
  /** as of the request (protocol/request.ts) */
  readonly traceparent?: string
}

/** The posted content of the session, and its final status. */
export type Callback = CallbackMessage & { readonly status: SessionStatus }

/** @param row in a final status
 *  @param now Unix ms */
export function owedCallback(row: SessionRow, now: number): DeliveryRow {
  const message = messageOf(row)
  return {
    ...newDelivery(now),
    id: `callback-${row.id}`,
    owner: row.id,
    cause: row.status,
    version: 1,
    chart: DELIVERY_CHART,
    host: addressOf(message?.url ?? '')?.host ?? '',
    requestor: row.requestor,
    owedAt: now,
    bootId: null,
    lastOutcome: null,
    message: message && JSON.stringify(message),
  }
}

/** @returns null for an unreadable request: its session is closed for that reason, and the address is unknown */
function messageOf(row: SessionRow): CallbackMessage | null {
  const { request, profile, result } = row
  const requestorToken = sentTokenOf(row)
  try {
    const { callbackUrl: url, validitySec, isLegacy, traceparent, request: asked } = request.value
    return {
      url,
      requestorToken,
      type: asked.type,
      validitySec,
      isLegacy,
      profile,
      result: result?.text ?? null,
      ...(traceparent !== undefined && { traceparent }),
    }
  } catch {
    return null
  }
}

/** Reads the message that `owedCallback` wrote.
 *  @returns null if there is nothing to deliver */
export function restoreMessage({ message, cause }: Pick<DeliveryRow, 'message' | 'cause'>): Callback | null {
  if (message === null) return null
  try {
    const status = cause as SessionStatus // written by this module, as is the message below
    return { ...(restoreJson(message) as CallbackMessage), status }
  } catch {
    return null // damaged; the parser's error would quote it
  }
}
