/** A delivery as the fields of a hash. The message is long and secret, so it has its own field, which a list does not read. @module */
import type { DeliveryRow, ListedDelivery } from '../delivery-store.ts'
import { objectIn, readJson } from './stored-json.ts'

/** The names of the fields. */
export const DELIVERY_FIELDS = ['v', 'row', 'message'] as const

export function deliveryFields({ version, message, ...row }: DeliveryRow): readonly string[] {
  return ['v', String(version), 'row', JSON.stringify(row), ...(message === null ? [] : ['message', message])]
}

/** @param values of `DELIVERY_FIELDS`
 *  @returns null: there is no such row */
export function deliveryRow([version, row, message]: readonly (string | null)[]): DeliveryRow | null {
  return version && row
    ? { requestor: null, ...readJson(row), version: Number(version), message: message ?? null }
    : null
}

/** @returns null: there is no such row, or it is damaged and a list skips it */
export function readableDelivery(values: readonly (string | null)[]): DeliveryRow | null {
  return values[1] && objectIn(values[1]) === null ? null : deliveryRow(values)
}

/** @param values of `DELIVERY_FIELDS`, with or without the message */
export function listedDelivery(values: readonly (string | null)[]): ListedDelivery | null {
  const row = readableDelivery(values)
  if (row === null) return null
  const { id, version, state, cause, owedAt, dueAt, giveUpAt, attempts } = row
  return { id, version, state, cause, owedAt, dueAt, giveUpAt, attempts }
}
