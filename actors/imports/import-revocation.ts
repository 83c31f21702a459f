/** Takes over the accumulators and issuance records of an existing authority (spec/cryptography#14). Records are written first and accumulators last, so an
 *  authority can tell an import that was not finished (actors/revocation/authority.ts). The import can be repeated. @module */
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import { type Accumulator, openAccumulator, verifyUpdate } from '../../crypto/revocation/accumulator.ts'
import { RevocationDataError } from '../../crypto/revocation/error.ts'
import type { IssuanceRecord } from '../../crypto/revocation/issuance-record.ts'
import type { CredentialTypeId } from '../../protocol/ids.ts'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import type {
  EventsAlone,
  RevocationSource,
  SourceAccumulator,
} from '../../stores/imports/revocation-source.ts'
import type { AccumulatorChange, AccumulatorRow } from '../../stores/revocation-store.ts'
import type { SessionServerStore } from '../../stores/store.ts'

export type RevocationImportDeps = {
  readonly source: Pick<
    RevocationSource,
    'name' | 'accumulators' | 'eventsAlone' | 'records' | 'refuseRepeatedPrimes'
  >
  /** null: nothing is written, and nothing is compared with the store */
  readonly store: Pick<SessionServerStore, 'revocation' | 'commit'> | null
  /** null: the schemes have no such key, or it does not support revocation */
  readonly keyOf: (type: CredentialTypeId, keyCounter: number) => IssuerPublicKey | null
  /** @returns base^exponent modulo the modulus */
  readonly power: (base: bigint, exponent: bigint, modulus: bigint) => bigint
}

export type ImportedAccumulator = {
  readonly type: CredentialTypeId
  readonly keyCounter: number
  readonly events: number
  readonly records: number
  readonly revoked: number
  /** records that the store had before */
  readonly known: number
  /** records that are revoked and have no event, or have one and are not revoked */
  readonly contradicting: number
}

type Verified = {
  readonly type: CredentialTypeId
  readonly update: SourceAccumulator['update']
  readonly accumulator: Accumulator
  readonly key: IssuerPublicKey
}

/** The planned change for one type and key, and its counts. @property change null: the store already has the accumulator, or a later one */
type Planned = Verified & {
  readonly change: AccumulatorChange | null
  /** the primes of the events */
  readonly revokedPrimes: ReadonlySet<bigint>
  contradicting: number
  records: number
  revoked: number
  known: number
  /** numbers of stored records that were revoked since an earlier import */
  readonly revokedLater: number[]
  /** Unix ns of the last of these revocations */
  revokedAtNs: bigint
}

const RECORDS_AT_ONCE = 500

/** The numbers of events and records of a type and key without an accumulator. */
export type LeftOut = EventsAlone & Pick<ImportedAccumulator, 'records'>

/** @returns the imported accumulators, and the data without one, which is left out
 *  @throws {Error} for a source without accumulators, and for an accumulator that the issuer has not signed. It is also thrown for one that cannot be joined with
 *  the one in the store. Nothing has been written then.
 *  @throws {Error} if another process changed an accumulator meanwhile. Records have been written then; the import may be repeated. */
export async function importRevocation(
  deps: RevocationImportDeps,
): Promise<{ readonly imported: readonly ImportedAccumulator[]; readonly leftOut: readonly LeftOut[] }> {
  const plans: Planned[] = []
  for (const each of await deps.source.accumulators()) plans.push(await planned(verified(each, deps), deps))
  if (plans.length === 0) throw new Error(`${deps.source.name}: expected accumulators, got none`)
  await deps.source.refuseRepeatedPrimes()
  const alone = await deps.source.eventsAlone()
  const leftOut = await importRecords(plans, alone, deps)
  const changes = plans.flatMap(changeOf)
  if (deps.store && changes.length > 0 && !(await deps.store.commit({ accumulators: changes })))
    throw new Error(
      'store: expected accumulators that no other process changes meanwhile, got changed ones; stop the server, and repeat the import',
    )
  const imported = plans.map(({ type, key, accumulator, records, revoked, known, contradicting }) => ({
    type,
    records,
    revoked,
    known,
    contradicting,
    keyCounter: key.counter,
    events: accumulator.index + 1,
  }))
  return { imported, leftOut }
}

function verified(
  { type: text, update }: SourceAccumulator,
  { source, keyOf }: RevocationImportDeps,
): Verified {
  const type = parseCredentialTypeId(text)
  const { keyCounter } = update.signed
  const key = keyOf(type, keyCounter)
  const refused = (got: string): Error =>
    new Error(`${source.name}: accumulator of ${type} under key ${keyCounter}: ${got}`)
  if (key === null) throw refused('expected this public key with revocation in the schemes, got none')
  try {
    const accumulator = verifyUpdate(update, key)
    if (update.events.length === accumulator.index + 1) return { type, update, accumulator, key }
  } catch (error) {
    if (error instanceof RevocationDataError) throw refused(error.message)
    throw error
  }
  throw refused('expected all its events from number 0 on, got a part of them')
}

async function planned(from: Verified, deps: RevocationImportDeps): Promise<Planned> {
  const { type, key } = from
  const stored = (await deps.store?.revocation.load(type, key.counter)) ?? null
  const change = await changeFor(from, stored, deps)
  const revokedPrimes = new Set(from.update.events.map(({ e }) => e))
  const counts = { records: 0, revoked: 0, known: 0, contradicting: 0 }
  return { ...from, change, revokedPrimes, ...counts, revokedLater: [], revokedAtNs: 0n }
}

/** @throws {Error} if neither accumulator follows from the other */
async function changeFor(
  { type, update, accumulator, key }: Verified,
  stored: AccumulatorRow | null,
  { store, power }: RevocationImportDeps,
): Promise<AccumulatorChange | null> {
  const { signed, events } = update
  const { counter: keyCounter } = key
  const row = { type, keyCounter, version: (stored?.version ?? 0) + 1, signed, index: accumulator.index }
  if (stored === null || store === null) return { row, events }
  const own = openAccumulator(stored.signed, key)
  const ownEvents = await store.revocation.events(type, keyCounter, { min: 0, max: stored.index + 1 })
  const follows = (later: Accumulator, all: typeof events, earlier: Accumulator): boolean => {
    const since = all.slice(earlier.index + 1)
    const product = since.reduce((sum, { e }) => sum * e, 1n)
    return since.length === later.index - earlier.index && power(later.nu, product, key.n) === earlier.nu
  }
  if (own.index >= accumulator.index && follows(own, ownEvents, accumulator)) return null
  if (own.index < accumulator.index && follows(accumulator, events, own))
    return { row, events: events.slice(own.index + 1) }
  // an authority that has started once, and has neither issued nor revoked
  if (own.index === 0 && !(await store.revocation.hasRecords(type, keyCounter)))
    return { row, events: events.slice(1) }
  throw new Error(
    `store: ${type} under key ${keyCounter}: expected no accumulator of its own, got one that is in use; two accumulators cannot be joined: import into an empty store, before its server starts as the authority`,
  )
}

/** @returns the data that is left out, by type and key */
async function importRecords(
  plans: readonly Planned[],
  alone: readonly EventsAlone[],
  deps: RevocationImportDeps,
): Promise<readonly LeftOut[]> {
  const leftOut = new Map(alone.map(each => [nameOf(each), { ...each, records: 0 }]))
  for (let last: IssuanceRecord | null = null; ; ) {
    const records: readonly IssuanceRecord[] = await deps.source.records(last, RECORDS_AT_ONCE)
    const end = records.at(-1)
    if (end === undefined) return [...leftOut.values()]
    last = end
    const work = records.map(async record => {
      const plan = plans.find(
        ({ type, key }) => type === record.credentialType && key.counter === record.keyCounter,
      )
      if (plan === undefined) leaveOut(record, leftOut)
      else await importRecord(record, plan, deps)
    })
    await Promise.all(work)
  }
}

function leaveOut({ credentialType: type, keyCounter }: IssuanceRecord, leftOut: Map<string, LeftOut>): void {
  const name = nameOf({ type, keyCounter })
  const { events, records } = leftOut.get(name) ?? { events: 0, records: 0 }
  leftOut.set(name, { type, keyCounter, events, records: records + 1 })
}

function nameOf({ type, keyCounter }: Pick<EventsAlone, 'type' | 'keyCounter'>): string {
  return JSON.stringify([type, keyCounter])
}

async function importRecord(
  record: IssuanceRecord,
  plan: Planned,
  { store }: RevocationImportDeps,
): Promise<void> {
  plan.records++
  const isRevoked = record.revokedAtNs !== 0n
  if (isRevoked) plan.revoked++
  if (isRevoked !== plan.revokedPrimes.has(record.e)) plan.contradicting++
  if (store === null || (await store.revocation.addRecord(record))) return
  plan.known++
  if (!isRevoked) return
  const unrevoked = await store.revocation.unrevoked(plan.type, record.revocationKey)
  const known = unrevoked.find(
    ({ record: { e, keyCounter } }) => e === record.e && keyCounter === plan.key.counter,
  )
  if (known === undefined) return
  plan.revokedLater.push(known.id)
  if (record.revokedAtNs > plan.revokedAtNs) plan.revokedAtNs = record.revokedAtNs
}

function changeOf({ change, revokedLater, revokedAtNs: atNs }: Planned): AccumulatorChange[] {
  if (change === null) return []
  return [{ ...change, ...(revokedLater.length > 0 && { revoked: { ids: revokedLater, atNs } }) }]
}
