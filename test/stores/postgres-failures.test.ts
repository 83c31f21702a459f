/** A PostgreSQL database that is gone, busy or missing. Calls fail with a failure of the store, in words and without a secret, and everything works again when
 *  the database does. @module */
import { once } from 'node:events'
import { createServer } from 'node:net'
import pg from 'pg'
import * as assert from 'uvu/assert'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import { Health } from '../../stores/health.ts'
import { openStore } from '../../stores/open.ts'
import { Database } from '../../stores/postgres/database.ts'
import { gaveNoAnswer } from '../../stores/postgres/postgres-errors.ts'
import type { Store } from '../../stores/store.ts'
import { StoreError } from '../../stores/store-error.ts'
import { inTime, pause, until } from '../patience.ts'
import { hasPostgres, newPostgresDatabase, startPostgres } from '../postgres.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { accountRow, commitAccount } from './account-rows.ts'
import { commitSession } from './commits.ts'
import { owedRow, sessionRow } from './rows.ts'

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('no failure'),
    (error: Error) => error,
  )
}

async function works(store: Store): Promise<boolean> {
  return store.accounts.load('id-a').then(
    () => true,
    () => false,
  )
}

const Failures = suite('a PostgreSQL database that fails')
const test = isMissing('PostgreSQL', hasPostgres) ? Failures.skip : Failures

test('without the database, every call fails with a StoreError; one log line; all works again when it is back', async () => {
  const server = await startPostgres()
  const address = await server.newDatabase()
  const clock = createSimulatedClock(Date.now())
  const lines: string[] = []
  const tell = { failing: (line: string) => lines.push(line), working: (line: string) => lines.push(line) }
  const store = await openStore(address, 'boot A', { clock, tell })
  const listener = await openStore(address, 'boot B', { clock })
  const heard: string[] = []
  listener.subscribe(id => heard.push(id))
  assert.ok(await commitAccount(store, 0, accountRow('a')))
  await server.stop()
  const calls = [
    () => store.accounts.load('id-a'),
    () => store.accounts.findByTokenIdHash('token-a'),
    () => store.nodes.isAlive('boot A'),
    () => store.deliveries.list(),
    () => commitAccount(store, 1, accountRow('a', { version: 2, attempts: 1 })),
  ]
  for (const call of [...calls, ...calls]) assert.instance(await failureOf(call()), StoreError)
  assert.equal([store.outage.isGone, store.outage.refusesWrites], [true, false])
  assert.ok(lines.length >= 1 && lines.length <= 3, lines.join())
  assert.match(
    lines[0] ?? '',
    /^store "postgres:\/\/\.\.\.@\.\.\.": expected to read and write the database, got ".*": see that the database runs/,
  )
  await server.start()
  await until(() => works(store), 'a store that works')
  clock.advance(6_000)
  await until(() => works(listener), 'a store that works')
  assert.ok(await works(store))
  assert.not(store.outage.isGone)
  assert.match(lines.at(-1) ?? '', /: it works again$/)
  assert.equal(await store.accounts.load('id-a'), accountRow('a'))
  await untilHeard(store, clock, heard)
  await store.close()
  await listener.close()
})

test('after a restart, which may have lost commits, the node drops its cached rows before it reads or writes', async () => {
  const server = await startPostgres()
  const clock = createSimulatedClock(Date.now()) // so that the listening connection does not reconnect
  const store = await openStore(await server.newDatabase(), 'boot A', { clock })
  assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
  assert.is(store.sessions.recent?.('id-s')?.version, 1)
  const known: unknown[] = []
  store.subscribe(
    () => {},
    () => known.push(store.sessions.recent?.('id-s') ?? null),
  )
  await server.stop()
  await server.start()
  await until(() => works(store), 'a store that works')
  assert.equal(known, [null])
  await store.close()
  await server.stop()
})

test('a commit on a locked row fails within its time limit, and nothing of it is stored', async () => {
  const address = await newPostgresDatabase()
  const store = await openStore(address, 'boot A')
  assert.ok(await commitAccount(store, 0, accountRow('a')))
  const other = new pg.Client(address)
  await other.connect()
  await other.query('begin')
  await other.query('update accounts set attempts = attempts')
  const failure = await failureOf(
    commitAccount(store, 1, accountRow('a', { version: 2 }), { owed: [owedRow('mail')] }),
  )
  assert.instance(failure, StoreError)
  assert.match(
    failure.message,
    /statement timeout": look for what keeps the database busy, or its rows locked$/,
  )
  assert.not(store.outage.refusesWrites, 'a late answer is no refusal')
  await other.query('rollback')
  await other.end()
  assert.equal([(await store.accounts.load('id-a'))?.version, await store.deliveries.list()], [1, []])
  assert.ok(await commitAccount(store, 1, accountRow('a', { version: 2 })))
  await store.close()
})

test('if the database refuses another connection, calls on it fail with a remedy; open connections work', async () => {
  const address = await newPostgresDatabase()
  const admin = new pg.Client(address)
  await admin.connect()
  await admin.query('create role crowded login')
  await admin.query('grant all on schema public to crowded')
  const asCrowded = address.replace('svc@', 'crowded@')
  const store = await openStore(asCrowded, 'boot A')
  assert.ok(await commitAccount(store, 0, accountRow('a')))
  await admin.query('alter role crowded connection limit 1')
  const words = /too many connections for role.*: give the database more memory, disk or connections$/
  const asked = await Promise.all(Array.from({ length: 20 }, () => failureOf(store.accounts.load('id-a'))))
  const refused = asked.filter(({ message }) => message !== 'no failure')
  assert.ok(refused.length > 0 && refused.length < 20, `${refused.length}`)
  for (const failure of refused) assert.instance(failure, StoreError)
  assert.ok(refused.some(({ message }) => words.test(message)))
  for (let i = 0; i < 20; i++) assert.ok(await works(store))
  assert.match((await failureOf(openStore(asCrowded, 'boot B'))).message, words)
  await admin.query('alter role crowded connection limit -1')
  const again = await Promise.all(Array.from({ length: 20 }, () => works(store)))
  assert.ok(again.every(isServed => isServed))
  await store.close()
  await admin.end()
})

/** Commits until another subscriber is notified. */
async function untilHeard(store: Store, clock: SimulatedClock, heard: readonly string[]): Promise<void> {
  assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
  for (let version = 1; heard.length === 0; version++) {
    const row = sessionRow('s', { version: version + 1 })
    const change = { id: 'id-s', version: row.version, oldStatus: 'PAIRING', newStatus: 'CONNECTED' } as const
    assert.ok(await commitSession(store, 'id-s', version, row, { change }))
    clock.advance(1_000) // the listening connection reconnects
    await pause(20)
  }
  assert.is(heard[0], 'id-s')
}

Failures(
  'error codes that count as "no answer": no connection, shutdown, too many connections; not a full disk',
  () => {
    const states: Readonly<Record<string, boolean>> = {
      '08006': true,
      '57P01': true,
      '57P03': true,
      '53300': true,
      '53100': false,
      '53200': false,
      '25006': false,
      '40001': false,
      '57014': false,
      '23505': false,
    }
    for (const [code, isGone] of Object.entries(states))
      assert.is(gaveNoAnswer(Object.assign(new Error('refused'), { code })), isGone, code)
    assert.ok(gaveNoAnswer(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })))
  },
)

function databaseAt(address: string): Database {
  const tell = { failing() {}, working() {} }
  return new Database(address, 'here', new Health('here', createSimulatedClock(1_000), tell))
}

Failures(
  'a call to a database that accepts connections but never answers fails with a StoreError',
  async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const database = databaseAt(`postgres://user@127.0.0.1:${port}/x`)
    const asked = database.all({ sql: 'select 1', values: [] })
    assert.instance(await inTime(failureOf(asked), 'the end of the call'), StoreError)
    const ask = () => failureOf(database.all({ sql: 'select 1', values: [] }))
    await Promise.all([1, 2, 3, 4].map(ask))
    const one = ask()
    assert.match((await ask()).message, /: one call at a time asks it until it answers$/)
    await one
    await database.close()
    silent.close()
  },
)

test('the database ends a statement after 3 s, and an idle transaction after 5 s', async () => {
  const database = databaseAt(await newPostgresDatabase())
  const shown = async (name: string) => Object(await database.all({ sql: `show ${name}`, values: [] }))[0]
  assert.equal(await shown('statement_timeout'), { statement_timeout: '3s' })
  assert.equal(await shown('idle_in_transaction_session_timeout'), {
    idle_in_transaction_session_timeout: '5s',
  })
  await database.close()
})

test('a duplicate row is an error of its commit alone; the error contains no value of the row', async () => {
  const lines: string[] = []
  const tell = { failing: (line: string) => lines.push(line), working: (line: string) => lines.push(line) }
  const store = await openStore(await newPostgresDatabase(), 'boot A', { tell })
  assert.ok(await commitAccount(store, 0, accountRow('a')))
  const failure = await failureOf(commitAccount(store, 0, accountRow('b', { tokenIdHash: 'token-a' })))
  assert.not.instance(failure, StoreError)
  assert.match(failure.message, /expected a row that can be stored, got "duplicate key value/)
  const whole = JSON.stringify({
    ...failure,
    message: failure.message,
    stack: failure.stack,
    cause: failure.cause,
  })
  assert.not.match(whole, 'token-a')
  assert.equal(lines, [])
  await store.close()
})

test('a database that cannot be opened is refused with a remedy, and without the password', async () => {
  const address = await newPostgresDatabase()
  const withPassword = address.replace('svc@', 'svc:hunter2pw@')
  const refusals: Readonly<Record<string, RegExp>> = {
    [withPassword.replace(/test_\d+/, 'none')]:
      /"database \\"none\\" does not exist": create the database, or name another one$/,
    [withPassword.replace('svc:', 'nobody:')]:
      /"role \\"nobody\\" does not exist": see that the user and the password/,
    [withPassword.replace(/host=.*/, 'host=/tmp/none')]:
      /"connect ENOENT [^"]+": see that the database runs, and that this machine reaches it$/,
    [`${withPassword}&sslmode=verify-full`]:
      /"The server does not support SSL connections": see that the database speaks TLS with a certificate that is trusted here \("sslrootcert"/,
  }
  for (const [wrong, words] of Object.entries(refusals)) {
    const { message, cause } = await failureOf(openStore(wrong, 'boot A'))
    assert.match(message, words)
    assert.not.match(`${message} ${String(cause)}`, 'hunter2pw')
  }
})

test('a call after closing fails with a StoreError, and logs no failure of the database', async () => {
  const lines: string[] = []
  const tell = { failing: (line: string) => lines.push(line), working: (line: string) => lines.push(line) }
  const store = await openStore(await newPostgresDatabase(), 'boot A', { tell })
  await store.close()
  assert.instance(await failureOf(store.sessions.load('id-s')), StoreError)
  assert.equal(lines, [])
})

Failures.run()
