/** The authority of a credential type (spec/cryptography#14.2, #14.3, #14.8): it creates the accumulators, revokes, renews their signatures every minute,
 *  and keeps the issuance records. Revocations run one at a time, and each is committed before it is published. @module */
import type { RevocationEvent, RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { firstUpdate, resign } from '../../crypto/revocation/authority.ts'
import { RevocationDataError } from '../../crypto/revocation/error.ts'
import { type IssuanceRecord, openIssuanceRecord } from '../../crypto/revocation/issuance-record.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Randomness } from '../../ports/randomness.ts'
import {
  InvalidRequestError,
  RevocationError,
  UnauthorizedError,
  UnknownRevocationKeyError,
} from '../../protocol/errors.ts'
import type { AccumulatorChange, StoredRecord } from '../../stores/revocation-store.ts'
import type { SessionServerStore } from '../../stores/store.ts'
import type { ProofPool } from '../workers/proof-pool.ts'
import { refusedAs } from '../workers/refusal.ts'
import type { KnownAccumulators } from './known.ts'
import type { CredentialToIssue } from './revocation.ts'
import { newWitness } from './witness.ts'

export type AuthorityDeps = {
  readonly known: KnownAccumulators
  readonly store: Pick<SessionServerStore, 'revocation'>
  readonly clock: Pick<Clock, 'wallNow'>
  readonly random: Pick<Randomness, 'bytes'>
  readonly pool: Pick<ProofPool, 'issueWitness' | 'revoke'>
}

const NS_PER_MS = 1_000_000n

export class Authority {
  readonly #deps: AuthorityDeps
  /** the previous revocation */
  #last: Promise<unknown> = Promise.resolve()

  constructor(deps: AuthorityDeps) {
    this.#deps = deps
  }

  /** For a start. An import writes the accumulators last. An unfinished import leaves records without an
   *  accumulator. A new accumulator would not fit them, and no wallet could prove with it.
   *  @throws {Error} with a message for an operator */
  async refuseUnfinishedImport(): Promise<void> {
    const { known, store } = this.#deps
    for (const keyCounter of known.keyCounters())
      if (
        (await known.load(keyCounter)) === null &&
        (await store.revocation.hasRecords(known.type, keyCounter))
      )
        throw new Error(
          `store: expected the accumulator of ${known.type} under key ${keyCounter} beside its issuance records, got none; an import was not finished: repeat svc issuer import-revocation before the start`,
        )
  }

  /** Creates an accumulator for each key that has none, and signs the others with the present time. */
  async renew(): Promise<void> {
    const { known } = this.#deps
    for (const keyCounter of known.keyCounters()) {
      const keys = known.keysOf(keyCounter)
      if (keys === null) continue // the private key is not here: the accumulator stays as it is
      const now = { ...keys, nowSec: this.#nowSec() }
      const row = await known.load(keyCounter)
      // a failed commit is ignored: another node has done the same
      if (row)
        await known.commit([{ row: { ...row, version: row.version + 1, signed: resign(row.signed, now) } }])
      else
        await known.commit([
          created(
            firstUpdate(now, count => this.#deps.random.bytes(count)),
            this.#deps,
          ),
        ])
    }
  }

  /** @throws {IssuanceFailedError} */
  async issue(credential: CredentialToIssue, signal?: AbortSignal): Promise<Witness> {
    for (;;) {
      const { witness, record } = await newWitness(credential, this.#deps.known, this.#deps.pool, signal)
      if (await this.#deps.store.revocation.addRecord(record)) return witness // otherwise another credential has that e
    }
  }

  /** @throws {UnknownRevocationKeyError} @throws {RevocationError} */
  revoke(revocationKey: string, issuedAtNs: bigint | null): Promise<void> {
    const work = this.#last.then(() => this.#revoke(revocationKey, issuedAtNs))
    this.#last = work.catch(() => {}) // the caller receives the error
    return work
  }

  /** @param signed by the issuer, as received
   *  @throws {RevocationError} for anything but a record of this type
   *  @throws {UnauthorizedError} for a record that the issuer has not signed */
  readonly addRecord = async (keyCounter: number, signed: Uint8Array): Promise<void> => {
    const { store, known } = this.#deps
    const record = { ...this.#opened(keyCounter, signed), revokedAtNs: 0n }
    if (record.credentialType !== known.type || record.keyCounter !== keyCounter)
      throw new RevocationError(
        `issuance record: expected one of ${known.type} under key ${keyCounter}, got another`,
      )
    if (await store.revocation.addRecord(record)) return
    const stored = await store.revocation.findRecord(known.type, keyCounter, record.e)
    // a repetition: the issuer did not receive the answer
    if (stored?.revocationKey === record.revocationKey && stored.issuedAtNs === record.issuedAtNs) return
    throw new RevocationError('issuance record: expected a number of its own, got that of another credential')
  }

  /** Waits for the revocation in progress. */
  async close(): Promise<void> {
    await this.#last
  }

  #opened(keyCounter: number, signed: Uint8Array): IssuanceRecord {
    const key = this.#deps.known.keyOf(keyCounter)
    if (key === null)
      throw new RevocationError(`issuance record: expected a key of the issuer, got counter ${keyCounter}`)
    try {
      return openIssuanceRecord(signed, key)
    } catch (cause) {
      if (!(cause instanceof RevocationDataError)) throw cause
      throw new (cause.isBadSignature ? UnauthorizedError : InvalidRequestError)(cause.message, { cause })
    }
  }

  async #revoke(revocationKey: string, issuedAtNs: bigint | null): Promise<void> {
    const { store, known } = this.#deps
    for (;;) {
      const unrevoked = await store.revocation.unrevoked(known.type, revocationKey)
      const wanted = unrevoked.filter(({ record }) => issuedAtNs === null || record.issuedAtNs === issuedAtNs)
      if (wanted.length === 0) throw new UnknownRevocationKeyError()
      const counters = new Set(wanted.map(({ record }) => record.keyCounter))
      const changes: AccumulatorChange[] = []
      for (const counter of counters)
        changes.push(
          await this.#without(
            counter,
            wanted.filter(({ record }) => record.keyCounter === counter),
          ),
        )
      if (await known.commit(changes)) return // otherwise the accumulator was renewed meanwhile
    }
  }

  /** The change that removes these credentials from an accumulator. */
  async #without(keyCounter: number, records: readonly StoredRecord[]): Promise<AccumulatorChange> {
    const { known, clock, pool } = this.#deps
    const keys = known.keysOf(keyCounter)
    const row = await known.load(keyCounter)
    const lastEvent = row && (await this.#eventAt(keyCounter, row.index))
    const refused = (expected: string): RevocationError =>
      new RevocationError(
        `cannot revoke ${known.type}: expected ${expected} with counter ${keyCounter}, got none`,
      )
    if (!keys) throw refused('both keys')
    if (!row) throw refused('an accumulator')
    if (!lastEvent) throw refused('the last event of the accumulator')
    const { signed } = row
    const e = records.map(({ record }) => record.e)
    const revocations = { ...keys, signed, lastEvent, e, nowSec: this.#nowSec() }
    const { signed: next, events } = await pool.revoke(revocations).catch(refusedAs(RevocationError))
    return {
      row: { ...row, version: row.version + 1, signed: next, index: row.index + events.length },
      events,
      revoked: { ids: records.map(({ id }) => id), atNs: BigInt(clock.wallNow()) * NS_PER_MS },
    }
  }

  async #eventAt(keyCounter: number, index: number): Promise<RevocationEvent | undefined> {
    const { store, known } = this.#deps
    return (await store.revocation.events(known.type, keyCounter, { min: index, max: index + 1 }))[0]
  }

  #nowSec(): number {
    return Math.floor(this.#deps.clock.wallNow() / 1_000)
  }
}

function created(
  { signed, events }: RevocationUpdate,
  { known: { type } }: AuthorityDeps,
): AccumulatorChange {
  const row = { type, keyCounter: signed.keyCounter, version: 1, signed, index: events.length - 1 }
  return { row, events }
}
