/** The stored SD-JWTs as their holder sees them: those with the same type and values are one batch. @module */
import { type CredentialTypeId, parseCredentialTypeId } from '../../../protocol/ids.ts'
import type { StoredSdJwt } from '../stored.ts'
import { readSdJwt } from './read.ts'

export type SdJwtBatchView = {
  readonly type: CredentialTypeId
  /** address of the issuer, as its certificate has it */
  readonly issuer: string
  /** by name */
  readonly attributes: Readonly<Record<string, string>>
  /** number of instances, each bound to a key of its own */
  readonly count: number
  readonly issuedAtSec: number
  readonly expiresAtSec: number
  /** at the time of the call */
  readonly isExpired: boolean
}

/** @returns oldest first */
export function batchesOf(stored: readonly StoredSdJwt[], nowSec: number): readonly SdJwtBatchView[] {
  const batches = new Map<string, SdJwtBatchView>()
  for (const { text } of stored) {
    const { vct, iss, attributes, issuedAtSec, expiresAtSec } = readSdJwt(text)
    const key = JSON.stringify([vct, iss, issuedAtSec, expiresAtSec, Object.entries(attributes).sort()])
    batches.set(key, {
      type: parseCredentialTypeId(vct),
      issuer: iss,
      attributes: Object.fromEntries(Object.entries(attributes).sort()),
      count: (batches.get(key)?.count ?? 0) + 1,
      issuedAtSec,
      expiresAtSec,
      isExpired: expiresAtSec < nowSec,
    })
  }
  return [...batches.values()]
}
