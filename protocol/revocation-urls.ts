/** Addresses at a revocation server (`spec/cryptography.md` 14.7), and the intervals in which events are asked for: the same for everybody, so that caches
 *  on the way can answer, and nobody learns how far somebody is behind. A server's address has no slash at its end. @module */
import type { CredentialTypeId } from './ids.ts'

export type Interval = { readonly min: number; readonly max: number }

/** The shortest interval; all begin and end at its multiples. */
export const SHORTEST_INTERVAL = 16
const LONGEST = 512

/** @param count of the latest events
 *  @param keyCounter the update of this key alone */
export function updateUrl(
  server: string,
  type: CredentialTypeId,
  count: number,
  keyCounter?: number,
): string {
  const ofKey = keyCounter === undefined ? '' : `/${keyCounter}`
  return `${server}/revocation/${type}/update/${count}${ofKey}`
}

export function eventsUrl(
  server: string,
  type: CredentialTypeId,
  { keyCounter, min, max }: Interval & { readonly keyCounter: number },
): string {
  return `${server}/revocation/${type}/events/${keyCounter}/${min}/${max}`
}

export function recordUrl(server: string, type: CredentialTypeId, keyCounter: number): string {
  return `${server}/revocation/${type}/issuancerecord/${keyCounter}`
}

export function streamUrl(server: string, type: CredentialTypeId): string {
  return `${server}/revocation/${type}/updateevents`
}

/** Adjoining intervals that hold min <= index < max and more: from a multiple of 512 on, of 512 or a smaller power of two down to 16, to the next
 *  multiple of 16. */
export function* intervalsOver({ min, max }: Interval): Generator<Interval> {
  const end = Math.ceil(max / SHORTEST_INTERVAL) * SHORTEST_INTERVAL
  let length = LONGEST
  for (let from = min - (min % LONGEST); from < end; from += length) {
    while (from + length > end) length /= 2
    yield { min: from, max: from + length }
  }
}
