/** The revocation updates of a session request (spec/session-server#7.1, spec/cryptography#14.6), as the app received them when it connected. The session
 *  stores them, because proofs are verified against them even if the server has received later updates. @module */
import type { CredentialTypeId } from './ids.ts'
import type { NonRevocationRequest } from './request-members.ts'
import { StoredValue } from './stored-value.ts'

export type SentUpdate = {
  /** index of the last event */
  readonly index: number
  /** time at which the authority last confirmed that this update is the latest, Unix seconds; null: never, or this server is the authority */
  readonly refreshedAtSec: number | null
  /** in the form of the wire (protocol/revocation-json.ts) */
  readonly update: object
}

/** By credential type, then by counter of the issuer's key. */
export type SentUpdates = ReadonlyMap<CredentialTypeId, ReadonlyMap<number, SentUpdate>>

export const NOTHING_SENT: SentUpdates = new Map()

type Stored = readonly (readonly [CredentialTypeId, readonly (readonly [number, SentUpdate])[]])[]

/** Value of the column `sentUpdates`; null if there are none. */
export function storeSentUpdates(sent: SentUpdates): StoredValue<SentUpdates> | null {
  if (sent.size === 0) return null
  const stored: Stored = [...sent].map(([type, byKey]) => [type, [...byKey]])
  return restoreSentUpdates(JSON.stringify(stored))
}

/** @param text output of `storeSentUpdates` */
export function restoreSentUpdates(text: string): StoredValue<SentUpdates> {
  return new StoredValue(text, json => {
    const stored = json as Stored // written by this program
    return new Map(stored.map(([type, byKey]) => [type, new Map(byKey)]))
  })
}

/** The member `revocation` of the request. Types and counters are sorted, as on the wire. */
export function writeRevocation(
  asked: readonly NonRevocationRequest[],
  sent: SentUpdates,
): ReadonlyMap<string, object> | undefined {
  if (asked.length === 0) return undefined
  return new Map(
    asked.map(({ credential, toleranceSec }) => {
      const byKey = [...(sent.get(credential) ?? [])]
      const updates = new Map(byKey.map(([counter, { update }]) => [String(counter), update]))
      return [
        credential,
        { tolerance: toleranceSec || undefined, updates: updates.size > 0 ? updates : undefined },
      ]
    }),
  )
}
