/** What is remembered of revocation: per credential type and key counter the latest signed accumulator and the events that led to it, and
 *  the records of what was issued. An accumulator changes only by `commit` of the store; a lost event would part this server from every wallet that has heard of it.
 *  @module */
import type { RevocationEvent, SignedAccumulator } from '../crypto/revocation/accumulator.ts'
import type { IssuanceRecord } from '../crypto/revocation/issuance-record.ts'
import type { CredentialTypeId } from '../protocol/ids.ts'

export type AccumulatorRow = {
  readonly type: CredentialTypeId
  readonly keyCounter: number
  /** counts commits, from 1 */
  readonly version: number
  readonly signed: SignedAccumulator
  /** the index of the last event, which is that of the accumulator */
  readonly index: number
}

/** One of the issuance records of a server: under the number that the store gave it. */
export type StoredRecord = { readonly id: number; readonly record: IssuanceRecord }

export type AccumulatorChange = {
  /** with the version after the stored one (1: there is none) */
  readonly row: AccumulatorRow
  /** the new ones, in order */
  readonly events?: readonly RevocationEvent[]
  /** records that are revoked by them, none of which is yet */
  readonly revoked?: { readonly ids: readonly number[]; readonly atNs: bigint }
}

export interface RevocationStore {
  load(type: CredentialTypeId, keyCounter: number): Promise<AccumulatorRow | null>
  /** The rows of every key counter, in their order. */
  loadAll(type: CredentialTypeId): Promise<readonly AccumulatorRow[]>
  /** Those with min <= index < max, in order. */
  events(
    type: CredentialTypeId,
    keyCounter: number,
    range: { readonly min: number; readonly max: number },
  ): Promise<readonly RevocationEvent[]>
  /** Survives a power cut. @returns false if there is a record with that e, which stays as it is */
  addRecord(record: IssuanceRecord): Promise<boolean>
  /** the record of that credential, revoked or not */
  findRecord(type: CredentialTypeId, keyCounter: number, e: bigint): Promise<IssuanceRecord | null>
  /** What was issued under a revocation key and is not revoked, of every key counter. */
  unrevoked(type: CredentialTypeId, revocationKey: string): Promise<readonly StoredRecord[]>
  /** Forget records of credentials that were valid until before then. */
  dropRecords(validUntilBeforeSec: number): Promise<void>
}

/** Unix seconds, rounded down: the unit in which credentials expire. */
export function validUntilSecOf({ validUntilNs }: Pick<IssuanceRecord, 'validUntilNs'>): number {
  return Number(validUntilNs / 1_000_000_000n)
}
