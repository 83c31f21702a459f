/** The connection on which a node of a PostgreSQL database receives commits: how it is lost, restored, refused and closed. @module */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import pg from 'pg'
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { Health } from '../../../stores/health.ts'
import { openStore } from '../../../stores/open.ts'
import { CHANNEL, Changes } from '../../../stores/postgres/changes.ts'
import { Database } from '../../../stores/postgres/database.ts'
import { StoreError } from '../../../stores/store-error.ts'
import { pause } from '../../patience.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { commitSession } from '../commits.ts'
import { failureOf, until } from '../other-connection.ts'
import { sessionRow } from '../rows.ts'

const START = 1_000

/** The listening connection, on a clock that the test moves, and a separate connection. */
function setUp(address: string) {
  const clock = createSimulatedClock(START)
  const database = new Database(address, 'here', new Health('here', clock, { failing() {}, working() {} }))
  const state = { missed: 0 }
  const missed = (): void => {
    state.missed += 1
  }
  const changes = new Changes({ address, database, clock, notify() {}, missed })
  return { clock, database, changes, state }
}

async function withChanges(
  use: (set: ReturnType<typeof setUp>, sql: (text: string) => Promise<readonly unknown[]>) => Promise<void>,
): Promise<void> {
  const address = await newPostgresDatabase()
  const client = new pg.Client(address)
  await client.connect()
  const set = setUp(address)
  try {
    await use(set, async text => (await client.query(text)).rows)
  } finally {
    await set.changes.close()
    await set.database.close()
    await client.end()
  }
}

const LISTENING = `from pg_stat_activity where datname = current_database() and query = 'listen ${CHANNEL}'`

const Heard = suite('the listening connection of a PostgreSQL node')
const test = isMissing('PostgreSQL', hasPostgres) ? Heard.skip : Heard

test('a lost connection is opened again after a second, and checked 3 s after that', async () => {
  await withChanges(async ({ clock, changes, state }, sql) => {
    await changes.open()
    assert.is(clock.nextTimerAt(), START + 3_000)
    await sql(`select pg_terminate_backend(pid) ${LISTENING}`)
    await until(() => !changes.isListening)
    assert.is(clock.nextTimerAt(), START + 1_000)
    clock.advance(1_000)
    await until(() => changes.isListening)
    await until(() => state.missed === 1)
    // a check of the lost connection would fail, and end the new one
    assert.is(clock.nextTimerAt(), START + 4_000)
  })
})

test('a refused reconnection is retried every second', async () => {
  await withChanges(async ({ clock, changes }, sql) => {
    await changes.open()
    const allow = (isAllowed: boolean) =>
      sql(`update pg_database set datallowconn = ${isAllowed} where datname = current_database()`)
    await allow(false)
    await sql(`select pg_terminate_backend(pid) ${LISTENING}`)
    await until(() => !changes.isListening)
    for (const tries of [1, 2, 3]) {
      clock.advance(1_000)
      await until(() => clock.nextTimerAt() === START + (tries + 1) * 1_000)
    }
    await allow(true)
    clock.advance(1_000)
    await until(() => changes.isListening)
  })
})

test('after closing no timer is left, whether the connection was open or lost', async () => {
  for (const isLost of [false, true])
    await withChanges(async ({ clock, changes }, sql) => {
      await changes.open()
      if (isLost) await sql(`select pg_terminate_backend(pid) ${LISTENING}`)
      await until(() => changes.isListening !== isLost)
      await changes.close()
      assert.is(clock.nextTimerAt(), null)
      await until(() => !changes.isListening)
      assert.is(clock.nextTimerAt(), null)
    })
})

test('a connection that is closed during its opening is ended once it is open', async () => {
  await withChanges(async ({ clock, changes }, sql) => {
    const opening = changes.open()
    await changes.close()
    await opening
    assert.equal([changes.isListening, clock.nextTimerAt()], [false, null])
    await until(async () => (await sql(`select 1 ${LISTENING}`)).length === 0)
  })
})

test('subscribers of a closed store are not told to reload', async () => {
  await withChanges(async ({ clock, changes, state }, sql) => {
    await changes.open()
    await sql(`select pg_terminate_backend(pid) ${LISTENING}`)
    await until(() => !changes.isListening)
    clock.advance(1_000) // it is reconnecting
    await changes.close()
    await pause(300)
    assert.is(state.missed, 0)
  })
})

test('a notification that no node has sent is ignored', async () => {
  const address = await newPostgresDatabase()
  const store = await openStore(address, 'boot A')
  const heard: (number | undefined)[] = []
  store.subscribe((_id, change) => heard.push(change?.version))
  const client = new pg.Client(address)
  await client.connect()
  for (const text of [`notify ${CHANNEL}`, `notify ${CHANNEL}, 'no JSON'`]) await client.query(text)
  await client.end()
  assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
  const change = { id: 'id-s', version: 2, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' } as const
  assert.ok(await commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 }), { change }))
  assert.equal(heard, [undefined, 2])
  await store.close()
})

/** @returns a message of the protocol of PostgreSQL */
function message(type: string, body: string): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, Buffer.from(body, 'latin1')])
}

const READY = message('Z', 'I')
const REFUSAL = message('E', 'SERROR\0C25006\0Mcannot execute LISTEN during recovery\0\0')

/** A server that accepts every login and refuses every statement. */
function answerAsStandby(socket: Socket): void {
  socket.on('error', () => {})
  socket.once('data', () => {
    socket.write(Buffer.concat([message('R', '\0\0\0\0'), READY]))
    socket.on('data', () => socket.write(Buffer.concat([REFUSAL, READY])))
  })
}

Heard('a server that refuses to listen is refused with a remedy, and the connection is ended', async () => {
  const open = new Set<Socket>()
  const server = createServer(socket => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    answerAsStandby(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const listening = server.address()
  const port = typeof listening === 'object' ? listening?.port : undefined
  const { changes, database } = setUp(`postgres://svc@127.0.0.1:${port}/x`)
  const failure = await failureOf(changes.open())
  assert.instance(failure, StoreError)
  assert.match(failure.message, /got "cannot execute LISTEN during recovery": name the primary server/)
  await until(() => open.size === 0)
  await database.close()
  server.close()
})

Heard.run()
