/** Values find their columns by name, for any order of an object's members. @module */
import { join } from 'node:path'
import { Kysely, SqliteDialect } from 'kysely'
import * as assert from 'uvu/assert'
import { DeliveryQueries } from '../../stores/sql/delivery-queries.ts'
import { migrate, SQLITE_MIGRATIONS } from '../../stores/sql/migrate.ts'
import type { Query } from '../../stores/sql/prepared-queries.ts'
import { RevocationQueries } from '../../stores/sql/revocation-queries.ts'
import { changesOf, deliveryToTable, toTable } from '../../stores/sql/rows.ts'
import type { Tables } from '../../stores/sql/schema.ts'
import { SessionQueries } from '../../stores/sql/session-queries.ts'
import { forKysely, openSqlite, Statements } from '../../stores/sqlite/statements.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { fullRow, owedRow, sessionRow } from './rows.ts'

const database = await openSqlite(join(temporaryFolder(), 'queries.db'))
const statements = new Statements(database, { assertThere() {}, failed: error => error })
const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(database, statements) }) })
await migrate(db, SQLITE_MIGRATIONS)
const [sessions, deliveries, revocation] = [
  new SessionQueries(db),
  new DeliveryQueries(db),
  new RevocationQueries(db),
]

const run = ({ sql, values }: Query): number => statements.run(sql, values)
const first = ({ sql, values }: Query): object => ({ ...statements.all<object>(sql, values)[0] })

/** The same members in reverse order. */
function reversed<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).reverse()) as Row // the same names
}

const Queries = suite('statements: values by name')

Queries('a session is created, changed and inserted with columns in any order', () => {
  const [created, changed, inserted] = [sessionRow('s'), fullRow('s'), fullRow('t')].map(row => {
    const stored = toTable(row)
    return { ...stored, claimed_body: stored.claimed_body && new Uint8Array(stored.claimed_body) }
  })
  assert.ok(created && changed && inserted)
  for (const inOrder of [<Row extends object>(row: Row) => row, reversed]) {
    assert.is(run(sessions.create(inOrder(created))), 1)
    assert.equal(first(sessions.load('id-s')), created)
    assert.is(run(sessions.update('id-s', 1, inOrder(changesOf(fullRow('s'))))), 1)
    const { requestor, request, requestor_token } = created // fixed at creation
    assert.equal(first(sessions.load('id-s')), { ...changed, requestor, request, requestor_token })
    assert.is(run(sessions.insert(inOrder(inserted))), 1)
    assert.equal(first(sessions.load('id-t')), inserted)
    for (const id of ['id-s', 'id-t']) assert.is(run(sessions.delete(id, 2)), 1)
  }
})

Queries('a delivery is written with columns in any order', () => {
  const [owed, changed] = [
    owedRow('d'),
    owedRow('d', {
      version: 2,
      state: 'sending',
      attempts: 1,
      bootId: 'boot A',
      lastOutcome: 'answered 500',
    }),
  ].map(deliveryToTable)
  assert.ok(owed && changed)
  for (const inOrder of [<Row extends object>(row: Row) => row, reversed]) {
    assert.is(run(deliveries.insert(inOrder(owed))), 1)
    const { number, ...stored } = Object(first(deliveries.load('d')))
    assert.equal(stored, owed)
    assert.is(run(deliveries.update('d', 1, inOrder(changed))), 1)
    assert.equal(first(deliveries.load('d')), { ...changed, number })
    assert.is(run(deliveries.delete('d', 2)), 1)
  }
})

Queries('an accumulator, its events and its records are written with columns in any order', () => {
  const [type, bytes] = ['svc-demo.gov.root', new Uint8Array([1])]
  const row = { type, key_counter: 3, version: 1, signed: bytes, last_index: 7 }
  for (const inOrder of [<Row extends object>(row: Row) => row, reversed]) {
    const keyCounter = inOrder === reversed ? 4 : 3
    const own = { ...row, key_counter: keyCounter }
    assert.is(run(revocation.create(inOrder(own))), 1)
    assert.equal(first(revocation.load(type, keyCounter)), own)
    assert.is(run(revocation.update(inOrder({ ...own, version: 2, last_index: 8 }))), 1)
    assert.equal(first(revocation.load(type, keyCounter)), { ...own, version: 2, last_index: 8 })
    const event = { type, key_counter: keyCounter, number: 5, e: bytes, parent_hash: new Uint8Array([2]) }
    assert.is(run(revocation.addEvent(inOrder(event))), 1)
    assert.equal(first(revocation.events(type, keyCounter, 5, 6)), event)
    const record = {
      type,
      key_counter: keyCounter,
      revocation_key: new Uint8Array([3]),
      e: bytes,
      issued_at_ns: '1',
      valid_until_ns: '2',
      valid_until_sec: 3,
      revoked_at_ns: '0',
    }
    assert.is(run(revocation.addRecord(inOrder(record))), 1)
    const { id, ...stored } = Object(first(revocation.findRecord(type, keyCounter, bytes)))
    assert.equal(stored, record)
    assert.is(run(revocation.setRevoked(id, '9')), 1)
  }
})

Queries.run()
