/** The rules of every store for revocation. @module */

import * as assert from 'uvu/assert'
import type { IssuanceRecord } from '../../crypto/revocation/issuance-record.ts'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import type { AccumulatorChange, AccumulatorRow } from '../../stores/revocation-store.ts'
import type { SessionServerStore } from '../../stores/store.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { commitAccumulators } from './commits.ts'

const BADGE = parseCredentialTypeId('svc-demo.fast.badge')
const PERMIT = parseCredentialTypeId('svc-demo.gov.permit')
const NS = 1_000_000_000n

export function accumulatorRow(changes: Partial<AccumulatorRow> = {}): AccumulatorRow {
  const { keyCounter = 0 } = changes
  const signed = { data: Uint8Array.of(0, 255, 1, changes.version ?? 1), keyCounter }
  return { type: BADGE, keyCounter, version: 1, signed, index: 0, ...changes }
}

export function eventRow(index: number, e = BigInt(index) * 2n ** 190n + 1n) {
  return { index, e, parentHash: Uint8Array.of(0x12, 0x20, index) }
}

/** The first commit of an accumulator. */
export function firstOf(changes: Partial<AccumulatorRow> = {}): AccumulatorChange {
  return { row: accumulatorRow(changes), events: [eventRow(0)] }
}

export function issuanceRecord(changes: Partial<IssuanceRecord> = {}): IssuanceRecord {
  return {
    revocationKey: 'naïve ☃ \u0000 bsn',
    credentialType: BADGE,
    issuedAtNs: 1_583_765_731_750_425_001n,
    keyCounter: 0,
    e: 2n ** 127n - 1n,
    validUntilNs: 1_599_490_531n * NS,
    revokedAtNs: 0n,
    ...changes,
  }
}

const TESTS: Readonly<Record<string, (store: SessionServerStore) => Promise<void>>> = {
  async 'hasRecords tells if the store has records of a type and key'(store) {
    assert.not.ok(await store.revocation.hasRecords(BADGE, 0))
    assert.ok(await store.revocation.addRecord(issuanceRecord({ revokedAtNs: 5n })))
    assert.ok(await store.revocation.hasRecords(BADGE, 0))
    assert.not.ok(await store.revocation.hasRecords(BADGE, 1))
    assert.not.ok(await store.revocation.hasRecords(PERMIT, 0))
  },
  async 'accumulators and events are read as they were stored, by type and key counter'(store) {
    const other = accumulatorRow({ keyCounter: 7, index: 1 })
    assert.ok(
      await commitAccumulators(store, [
        firstOf(),
        { row: other, events: [eventRow(0), eventRow(1)] },
        firstOf({ type: PERMIT }),
      ]),
    )
    assert.equal(await store.revocation.load(BADGE, 0), accumulatorRow())
    assert.equal(await store.revocation.loadAll(BADGE), [accumulatorRow(), other])
    assert.is(await store.revocation.load(PERMIT, 7), null)
    assert.equal(await store.revocation.events(BADGE, 7, { min: 0, max: 2 }), [eventRow(0), eventRow(1)])
    assert.equal(await store.revocation.events(BADGE, 7, { min: 1, max: 16 }), [eventRow(1)])
    assert.equal(await store.revocation.events(BADGE, 7, { min: 0, max: 1 }), [eventRow(0)])
    assert.equal(await store.revocation.events(BADGE, 8, { min: 0, max: 16 }), [])
    const next = accumulatorRow({ keyCounter: 7, version: 2, index: 2 })
    assert.ok(await commitAccumulators(store, [{ row: next, events: [eventRow(2)] }]))
    assert.equal(await store.revocation.loadAll(BADGE), [accumulatorRow(), next])
    assert.equal(await store.revocation.loadAll(PERMIT), [accumulatorRow({ type: PERMIT })])
  },

  async 'a commit with a wrong version in any of its changes changes nothing'(store) {
    assert.ok(await commitAccumulators(store, [firstOf(), firstOf({ type: PERMIT })]))
    const second = { row: accumulatorRow({ version: 2, index: 1 }), events: [eventRow(1)] }
    const late = { row: accumulatorRow({ type: PERMIT, version: 3 }) }
    for (const changes of [[firstOf()], [late], [second, late], [firstOf({ keyCounter: 1 }), firstOf()]])
      assert.is(await commitAccumulators(store, changes), false)
    assert.equal(await store.revocation.loadAll(BADGE), [accumulatorRow()])
    assert.equal(await store.revocation.events(BADGE, 0, { min: 0, max: 9 }), [eventRow(0)])
    assert.ok(await commitAccumulators(store, [second]))
    assert.is((await store.revocation.load(BADGE, 0))?.index, 1)
  },

  async 'of two concurrent revocations on one version, one succeeds, and the other can be repeated'(store) {
    assert.ok(await commitAccumulators(store, [firstOf()]))
    const next = (version: number, e: bigint) => ({
      row: accumulatorRow({ version, index: version - 1 }),
      events: [eventRow(version - 1, e)],
    })
    const won = await Promise.all([
      commitAccumulators(store, [next(2, 11n)]),
      commitAccumulators(store, [next(2, 13n)]),
    ])
    assert.equal([...won].sort(), [false, true])
    assert.ok(await commitAccumulators(store, [next(3, won[0] ? 13n : 11n)]))
    const events = await store.revocation.events(BADGE, 0, { min: 1, max: 9 })
    assert.equal(events.map(({ e }) => e).sort(), [11n, 13n])
  },

  async 'a second event with the same index fails, and nothing changes'(store) {
    assert.ok(await commitAccumulators(store, [firstOf()]))
    const again = commitAccumulators(store, [
      { row: accumulatorRow({ version: 2 }), events: [eventRow(0, 5n)] },
    ])
    assert.ok(await rejection(again))
    assert.is((await store.revocation.load(BADGE, 0))?.version, 1)
  },

  async 'a record is read as it was stored; a second one with the same number is refused'(store) {
    assert.ok(await store.revocation.addRecord(issuanceRecord()))
    assert.is(await store.revocation.addRecord(issuanceRecord({ revocationKey: 'other' })), false)
    assert.ok(await store.revocation.addRecord(issuanceRecord({ keyCounter: 1 })))
    assert.equal(await store.revocation.findRecord(BADGE, 0, issuanceRecord().e), issuanceRecord())
    const second = issuanceRecord({ keyCounter: 1 })
    assert.equal(await store.revocation.findRecord(BADGE, 1, second.e), second)
    assert.is(await store.revocation.findRecord(PERMIT, 0, issuanceRecord().e), null)
  },

  async 'a revoked record is no longer among the unrevoked ones, and cannot be revoked twice'(store) {
    assert.ok(await commitAccumulators(store, [firstOf()]))
    for (const e of [11n, 13n]) assert.ok(await store.revocation.addRecord(issuanceRecord({ e })))
    const { revocationKey } = issuanceRecord()
    assert.equal(await store.revocation.unrevoked(PERMIT, revocationKey), [])
    assert.equal(await store.revocation.unrevoked(BADGE, `${revocationKey} `), [])
    const found = await store.revocation.unrevoked(BADGE, revocationKey)
    assert.equal(
      found.map(({ record }) => record.e),
      [11n, 13n],
    )
    const revoked = { ids: found.slice(0, 1).map(({ id }) => id), atNs: 42n * NS }
    const change = { row: accumulatorRow({ version: 2, index: 1 }), events: [eventRow(1, 11n)], revoked }
    assert.ok(await commitAccumulators(store, [change]))
    assert.is((await store.revocation.findRecord(BADGE, 0, 11n))?.revokedAtNs, 42n * NS)
    assert.equal(
      (await store.revocation.unrevoked(BADGE, revocationKey)).map(({ record }) => record.e),
      [13n],
    )
    const twice = { ...change, row: accumulatorRow({ version: 3, index: 2 }), events: [eventRow(2, 11n)] }
    assert.is(await commitAccumulators(store, [twice]), false)
    assert.is((await store.revocation.load(BADGE, 0))?.version, 2)
  },

  async 'a record that is stored as revoked is not among the unrevoked ones'(store) {
    const revoked = issuanceRecord({ e: 11n, revokedAtNs: 42n * NS })
    assert.ok(await store.revocation.addRecord(revoked))
    assert.equal(await store.revocation.unrevoked(BADGE, revoked.revocationKey), [])
    assert.equal(await store.revocation.findRecord(BADGE, 0, 11n), revoked)
  },

  async 'records of expired credentials are dropped'(store) {
    const until = (sec: bigint, e: bigint) => issuanceRecord({ e, validUntilNs: sec * NS + 1n })
    for (const record of [until(99n, 11n), until(100n, 13n), until(101n, 17n)])
      assert.ok(await store.revocation.addRecord(record))
    await store.revocation.dropRecords(100)
    const left = await store.revocation.unrevoked(BADGE, issuanceRecord().revocationKey)
    assert.equal(
      left.map(({ record }) => record.e),
      [13n, 17n],
    )
  },
}

/** @param open returns a new, empty store
 *  @param isSkipped true if the store's program is missing on this machine */
export function runRevocationSuite(
  name: string,
  open: () => Promise<SessionServerStore>,
  isSkipped = false,
): void {
  const Store = suite(`revocation store ${name}`)
  const test = isSkipped ? Store.skip : Store
  for (const [title, body] of Object.entries(TESTS))
    test(title, async () => {
      const store = await open()
      try {
        await body(store)
      } finally {
        await store.close()
      }
    })
  Store.run()
}
