/** Addresses at a revocation server (`spec/cryptography.md` 14.7), and the intervals in which events are asked for: the same for everybody, so that caches
 *  on the way can answer. @module */
import type { CredentialTypeId } from '../../protocol/ids.ts'

export type Interval = { readonly min: number; readonly max: number }

const [SHORTEST, LONGEST] = [16, 512]

export function updateUrl(server: string, type: CredentialTypeId, count: number): string {
  return `${server}/revocation/${type}/update/${count}`
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

/** Intervals that hold min <= index < max and perhaps more: from a multiple of 512 on, of lengths that are powers of two, down to 16. */
export function intervalsOver({ min, max }: Interval): Interval[] {
  const end = Math.ceil(max / SHORTEST) * SHORTEST
  const intervals: Interval[] = []
  for (let from = Math.floor(min / LONGEST) * LONGEST; from < end; ) {
    let length = LONGEST
    while (from + length > end) length /= 2
    intervals.push({ min: from, max: from + length })
    from += length
  }
  return intervals.filter(each => each.max > min)
}
