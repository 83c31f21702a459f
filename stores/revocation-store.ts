/** The data of revocation. Per credential type and key counter it holds the latest signed accumulator with its events, and the issuance records. Only
 *  `commit` of the store changes an accumulator. If an event were lost, this server would disagree with every wallet that has received it. @module */
import type { RevocationEvent, SignedAccumulator } from '../crypto/revocation/accumulator.ts'
import type { IssuanceRecord } from '../crypto/revocation/issuance-record.ts'
import type { CredentialTypeId } from '../protocol/ids.ts'

export type AccumulatorRow = {
  readonly type: CredentialTypeId
  readonly keyCounter: number
  /** counts commits, from 1 */
  readonly version: number
  readonly signed: SignedAccumulator
  /** index of the last event, which is also the index of the accumulator */
  readonly index: number
}

/** An issuance record with the number that the store gave it. */
export type StoredRecord = { readonly id: number; readonly record: IssuanceRecord }

export type AccumulatorChange = {
  /** with the version after the stored one; 1: none is stored */
  readonly row: AccumulatorRow
  /** the new events, in order */
  readonly events?: readonly RevocationEvent[]
  /** records that the events revoke; none of them is revoked yet */
  readonly revoked?: { readonly ids: readonly number[]; readonly atNs: bigint }
}

export interface RevocationStore {
  load(type: CredentialTypeId, keyCounter: number): Promise<AccumulatorRow | null>
  /** The rows of all key counters, ascending. */
  loadAll(type: CredentialTypeId): Promise<readonly AccumulatorRow[]>
  /** The events with min <= index < max, in order. */
  events(
    type: CredentialTypeId,
    keyCounter: number,
    range: { readonly min: number; readonly max: number },
  ): Promise<readonly RevocationEvent[]>
  /** Survives a power cut. @returns false if a record with this `e` exists, which is unchanged */
  addRecord(record: IssuanceRecord): Promise<boolean>
  /** the record of the credential, revoked or not */
  findRecord(type: CredentialTypeId, keyCounter: number, e: bigint): Promise<IssuanceRecord | null>
  /** True if there is a record of a credential of this type under this key. */
  hasRecords(type: CredentialTypeId, keyCounter: number): Promise<boolean>
  /** The unrevoked records of a revocation key, of all key counters. */
  unrevoked(type: CredentialTypeId, revocationKey: string): Promise<readonly StoredRecord[]>
  /** Deletes records of credentials that expired before that time. */
  dropRecords(validUntilBeforeSec: number): Promise<void>
}

/** Unix seconds, rounded down: the unit in which credentials expire. */
export function validUntilSecOf({ validUntilNs }: Pick<IssuanceRecord, 'validUntilNs'>): number {
  return Number(validUntilNs / 1_000_000_000n)
}
