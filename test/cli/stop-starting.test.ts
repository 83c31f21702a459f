/** The end of a server that gets a stop signal while it starts. @module */
import { createServer, type Socket } from 'node:net'
import pg from 'pg'
import * as assert from 'uvu/assert'
import { inTime, pause, until } from '../patience.ts'
import { hasPostgres, newPostgresDatabase } from '../postgres.ts'
import { DEMO_SCHEMES, isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { startSvc } from './run-svc.ts'

/** The number of kysely's lock for migrations of a database. */
const LOCK = '3853314791062309107'
/** The longest time until a process receives its signal. */
const UNTIL_TOLD_MS = 500

/** A store that accepts connections and never answers. */
const silent = createServer()

const Starting = suite('svc server is told to stop while it starts')
const test = isMissing('PostgreSQL', hasPostgres) ? Starting.skip : Starting

test('the server ends, even while another node migrates the tables for a long time', async () => {
  const address = await newPostgresDatabase()
  const client = new pg.Client(address)
  await client.connect()
  await client.query('begin')
  await client.query(`select pg_advisory_xact_lock(${LOCK})`)
  const running = startSvc(['server', '--schemes-path', DEMO_SCHEMES, '--store', address, '--workers', '1'])
  try {
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted`
    await until(async () => (await client.query(waiting)).rowCount !== 0, 'a server that waits for the lock')
    running.process.kill('SIGTERM')
    const { code, stderr } = await inTime(running.finished, 'the end of the server')
    assert.is(code, 0)
    assert.match(stderr, /svc server stopped before it ran/)
  } finally {
    running.process.kill('SIGKILL')
    await client.end()
  }
})

Starting(
  'the server ends with the exit code of a stopped server, even if its store fails meanwhile',
  async () => {
    const reached = new Promise<Socket>(resolve => {
      silent.once('connection', resolve)
    })
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const { port } = Object(silent.address())
    const address = `postgres://svc@127.0.0.1:${port}/svc`
    const running = startSvc(['server', '--schemes-path', DEMO_SCHEMES, '--store', address, '--workers', '1'])
    const connection = await reached
    running.process.kill('SIGTERM')
    await pause(UNTIL_TOLD_MS)
    connection.destroy()
    const { code, stderr } = await running.finished
    silent.close()
    assert.match(stderr, /svc server stopped before it ran/)
    assert.is(code, 0)
  },
)

Starting.run()
