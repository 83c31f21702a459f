/** The callback that a session owes when it ends (`spec/session-server.md` 14): what is delivered and where, put together in the commit of the
 *  final status, since the session may be forgotten long before its result has arrived. @module */
import { DELIVERY_CHART, newDelivery } from '../../machines/delivery.ts'
import { addressOf } from '../../ports/outgoing-address.ts'
import { restoreJson } from '../../protocol/json.ts'
import type { ProfileName } from '../../protocol/profiles.ts'
import type { SessionType } from '../../protocol/request.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import type { SessionRow, SessionStatus } from '../../stores/session-store.ts'

/** Secret: token, address, attributes. */
export type CallbackMessage = {
  readonly url: string
  readonly requestorToken: string
  readonly type: SessionType
  readonly validitySec: number
  readonly isLegacy: boolean
  readonly profile: ProfileName
  /** as `storeOutcome` wrote it; null: the session has none */
  readonly result: string | null
  /** as of the request (protocol/request.ts) */
  readonly traceparent?: string
}

/** What is posted of the session, and the final status of it. */
export type Callback = CallbackMessage & { readonly status: SessionStatus }

/** @param row in its final status
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

/** @returns null for a request that cannot be read: its session is closed for that, and nobody knows its address */
function messageOf({ request, requestorToken, profile, result }: SessionRow): CallbackMessage | null {
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

/** What `owedCallback` wrote.
 *  @returns null: there is nothing that could be delivered */
export function restoreMessage({ message, cause }: Pick<DeliveryRow, 'message' | 'cause'>): Callback | null {
  if (message === null) return null
  try {
    const status = cause as SessionStatus // this module's own writing, here and below
    return { ...(restoreJson(message) as CallbackMessage), status }
  } catch {
    return null // damaged, and the parser's message would quote it
  }
}
