/** The revocation updates that a session request carries (`spec/session-server.md` 7.1, `spec/cryptography.md` 14.6): what the app was sent when it
 *  connected. They are kept with the session, because a proof is held against what was sent, whatever the server has learned since. @module */
import type { CredentialTypeId } from './ids.ts'
import type { NonRevocationRequest } from './request-members.ts'
import { StoredValue } from './stored-value.ts'

export type SentUpdate = {
  /** the index of the last event */
  readonly index: number
  /** when the authority last said that this is the latest, Unix seconds; null: never, or this server is the authority */
  readonly refreshedAtSec: number | null
  /** as on the wire (protocol/revocation-json.ts) */
  readonly update: object
}

/** By credential type, then by counter of the issuer's key. */
export type SentUpdates = ReadonlyMap<CredentialTypeId, ReadonlyMap<number, SentUpdate>>

export const NOTHING_SENT: SentUpdates = new Map()

type Stored = readonly (readonly [CredentialTypeId, readonly (readonly [number, SentUpdate])[]])[]

/** The column `sentUpdates`; null: nothing to keep. */
export function storeSentUpdates(sent: SentUpdates): StoredValue<SentUpdates> | null {
  if (sent.size === 0) return null
  const stored: Stored = [...sent].map(([type, byKey]) => [type, [...byKey]])
  return restoreSentUpdates(JSON.stringify(stored))
}

/** @param text what `storeSentUpdates` wrote */
export function restoreSentUpdates(text: string): StoredValue<SentUpdates> {
  return new StoredValue(text, json => {
    const stored = json as Stored // this program's own writing
    return new Map(stored.map(([type, byKey]) => [type, new Map(byKey)]))
  })
}

/** The member `revocation` of the request; types and counters sorted, as the wire has them. */
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
