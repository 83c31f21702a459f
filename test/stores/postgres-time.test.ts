/** The shared time of the nodes of a PostgreSQL database, and commits of a node that was paused past its lease. @module */
import pg from 'pg'
import * as assert from 'uvu/assert'
import { createSystemClock } from '../../ports/clock.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { openStore } from '../../stores/open.ts'
import { StoreError } from '../../stores/store-error.ts'
import { hasPostgres, newPostgresDatabase } from '../postgres.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { commitAccumulators, commitDelivery, commitSession } from './commits.ts'
import { until } from './other-connection.ts'
import { accumulatorRow, firstOf } from './revocation-suite.ts'
import { owedRow, sessionRow } from './rows.ts'

const Postgres = suite('the time of a PostgreSQL database')
const test = isMissing('PostgreSQL', hasPostgres) ? Postgres.skip : Postgres

/** Two nodes on one database. The first renews nothing, because its clock does not advance. */
async function storeWithoutRenewals() {
  const address = await newPostgresDatabase()
  const client = new pg.Client(address)
  await client.connect()
  const other = await openStore(address, 'boot B')
  const store = await openStore(address, 'boot A', { clock: createSimulatedClock(Date.now()) })
  const close = async (): Promise<void> => {
    for (const each of [store, other]) await each.close()
    await client.end()
  }
  return { store, other, client, [Symbol.asyncDispose]: close }
}

test('every node measures the time of the database, whatever its own clock shows', async () => {
  const address = await newPostgresDatabase()
  for (const aheadMs of [-5_000, 0, 5_000]) {
    const clock = { ...createSystemClock(), now: () => Date.now() - aheadMs }
    const store = await openStore(address, `boot ${aheadMs}`, { clock })
    const measuredMs = store.nodes.aheadMs()
    assert.ok(store.nodes.isShared)
    assert.ok(Math.abs(measuredMs - aheadMs) < 1_000, `${measuredMs} ms, not ${aheadMs}`)
    await store.close()
  }
})

test('a clock that drifts away during operation is logged once, and the store continues', async () => {
  const clock = createSimulatedClock(Date.now())
  const [warnings, failures]: [string[], string[]] = [[], []]
  const store = await openStore(await newPostgresDatabase(), 'boot A', {
    clock,
    warn: message => warnings.push(message),
    tell: { failing: message => failures.push(message), working() {} },
  })
  for (let renewals = 0; renewals < 8; renewals++) {
    const before = store.nodes.aheadMs()
    clock.advance(3_000)
    await until(() => store.nodes.aheadMs() < before - 1_000)
  }
  assert.equal([warnings.length, failures], [1, []])
  const expected = /expected the clocks of this machine and of the database to agree, got more than 10 s/
  assert.match(warnings[0] ?? '', expected)
  assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
  await store.close()
})

test('a node that was paused longer than its lease commits no session, no delivery and no revocation', async () => {
  await using stores = await storeWithoutRenewals()
  const { store, other, client } = stores
  assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed: [owedRow('d')] }))
  await client.query(`update nodes set alive_until = alive_until - 15000 where boot_id = 'boot A'`)
  const late = await Promise.allSettled([
    commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 })),
    commitSession(store, 'id-t', 0, sessionRow('t')),
    commitDelivery(store, 'd', 1, owedRow('d', { version: 2 })),
    commitAccumulators(store, [firstOf()]),
  ])
  for (const outcome of late)
    assert.instance(outcome.status === 'rejected' ? outcome.reason : null, StoreError)
  const [s, t] = [await other.sessions.load('id-s'), await other.sessions.load('id-t')]
  assert.equal([s?.version, t, (await other.deliveries.load('d'))?.version], [1, null, 1])
  const { type, keyCounter } = accumulatorRow()
  assert.is(await other.revocation.load(type, keyCounter), null)
})

test('a node whose lease is too short for a commit counts as dead for itself, and as alive for others', async () => {
  await using stores = await storeWithoutRenewals()
  const { store, other, client } = stores
  const areAlive = () => Promise.all([store, other].map(({ nodes }) => nodes.isAlive('boot A')))
  assert.equal(await areAlive(), [true, true])
  await client.query(`update nodes set alive_until = alive_until - 11000 where boot_id = 'boot A'`)
  assert.equal(await areAlive(), [false, true])
  const commit = await Promise.allSettled([commitSession(store, 'id-s', 0, sessionRow('s'))])
  assert.is(commit[0].status, 'rejected')
})

Postgres.run()
