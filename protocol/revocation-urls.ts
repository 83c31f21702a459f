/** URLs of a revocation server (spec/cryptography#14.7), and the intervals in which events are requested. All clients use the same intervals: caches can
 *  answer, and no server learns how far a client is behind. The server's base URL has no slash at its end. @module */
import type { CredentialTypeId } from './ids.ts'

export type Interval = { readonly min: number; readonly max: number }

/** The shortest interval. Every interval begins and ends at a multiple of it. */
export const SHORTEST_INTERVAL = 16
const LONGEST = 512

/** @param count number of latest events
 *  @param keyCounter only the update of this key; left out: of all keys */
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

/** Adjoining intervals that cover min <= index < max. They begin at a multiple of 512 and end at a multiple of 16. Each length is 512 or a smaller power of two, at
 *  least 16. */
export function* intervalsOver({ min, max }: Interval): Generator<Interval> {
  const end = Math.ceil(max / SHORTEST_INTERVAL) * SHORTEST_INTERVAL
  let length = LONGEST
  for (let from = min - (min % LONGEST); from < end; from += length) {
    while (from + length > end) length /= 2
    yield { min: from, max: from + length }
  }
}
