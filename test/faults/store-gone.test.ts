/** A real PostgreSQL that is paused, or killed and restarted, behind a running session server and a running keyshare server. Every call is answered
 *  with 503 within its time limit, no commit is partial, streams continue, and everything works again without a restart. @module */

import * as assert from 'uvu/assert'
import { freePort, startSvc } from '../cli/run-svc.ts'
import { type Answer, type Client, clientOf } from '../http/client.ts'
import { appHeaders, disclosure, sessionIn } from '../http/harness.ts'
import { until } from '../patience.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../postgres.ts'
import { DEMO_SCHEMES, isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { headersOf, KEY, login, PIN, registered } from './keyshare/app.ts'
import { startServers } from './keyshare/servers.ts'

const Gone = suite('a database that is gone for a while')
const test = isMissing('PostgreSQL', hasPostgres) ? Gone.skip : Gone
const JSON_BODY = { 'Content-Type': 'application/json' }

type Fault = (database: PostgresServer) => {
  readonly begin: () => Promise<void>
  readonly end: () => Promise<void>
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'stands still': ({ freeze, thaw }) => ({ begin: async () => freeze(), end: async () => thaw() }),
  'is killed and started again': ({ stop, start }) => ({ begin: stop, end: start }),
}

const becomes = (is: () => Promise<boolean>): Promise<void> =>
  until(is, 'a server that notices what has happened')

const readiness = async ({ call }: Client): Promise<number> => (await call('GET', '/health/ready')).status

const create = ({ call }: Client) =>
  call('POST', '/session', { headers: JSON_BODY, body: { request: disclosure() } })

/** Calls to a server while the fault lasts, and after it. */
type Server = { readonly during: () => Promise<void>; readonly after: () => Promise<void> }

function assertAllRefused(answers: readonly (Answer | undefined)[]): void {
  for (const answer of answers)
    assert.equal([answer?.status, answer?.headers['retry-after']], [503, '2'], answer?.text)
}

async function sessionServer(address: string): Promise<Server> {
  const port = await freePort()
  const words = ['--schemes-path', DEMO_SCHEMES, '--store', address, '--workers', '1', '--port', `${port}`]
  const running = startSvc(['server', ...words, '--listen-addr', '127.0.0.1'])
  await running.says('svc server running')
  const server = clientOf(port)
  await becomes(async () => (await readiness(server)) === 200)
  const session = sessionIn(await create(server))
  const stream = await server.open(`${session.requestor}/statusevents`)
  const connect = () => server.call('GET', session.app, { headers: appHeaders() })
  const calls = [() => create(server), connect, () => server.call('GET', `${session.requestor}/result`)]
  return {
    async during() {
      assertAllRefused(await Promise.all(Array.from({ length: 60 }, (_, i) => calls[i % 3]?.())))
      await becomes(async () => (await readiness(server)) === 503) // the previous answer is cached for a second
      assert.is((await server.call('GET', '/health')).status, 200)
    },
    async after() {
      await becomes(async () => (await readiness(server)) === 200)
      assert.is((await create(server)).status, 200)
      assert.is((await connect()).status, 200)
      assert.equal([await stream.next(), await stream.next()], ['event: open', 'data: "CONNECTED"'])
      assert.is((await server.call('DELETE', session.requestor)).status, 200)
      assert.equal([await stream.next(), await stream.next()], ['data: "CANCELLED"', null])
      running.process.kill('SIGTERM')
      assert.is((await running.finished).code, 0)
    },
  }
}

async function keyshareServer(address: string): Promise<Server> {
  const servers = await startServers(address, 1)
  const server = clientOf(Number(new URL(servers.urls[0] ?? '').port))
  const app = await registered(servers, true)
  const { message: token } = await login(servers, app, PIN)
  const headers = headersOf(app, token)
  const calls = [
    () => server.call('POST', '/users/verify/pin', { body: { id: app.userName, pin: PIN } }),
    () => server.call('POST', '/prove/getCommitments', { headers, body: [KEY] }),
    () => server.call('POST', '/client/register', { body: { pin: PIN } }),
  ]
  return {
    async during() {
      assertAllRefused(await Promise.all(Array.from({ length: 30 }, (_, i) => calls[i % 3]?.())))
      await becomes(async () => (await readiness(server)) === 503)
    },
    async after() {
      await becomes(async () => (await readiness(server)) === 200)
      assert.is((await login(servers, app, PIN)).status, 'success')
      await servers.end()
    },
  }
}

for (const [what, fault] of Object.entries(FAULTS))
  test(`it ${what}: every call gets 503 and no PIN is wrong; streams stay open, and all calls work again afterwards`, async () => {
    const database = await startPostgres()
    const { begin, end } = fault(database)
    const addresses = [await database.newDatabase(), await database.newDatabase()] as const
    const servers = await Promise.all([sessionServer(addresses[0]), keyshareServer(addresses[1])])
    await begin()
    await Promise.all(servers.map(({ during }) => during()))
    await end()
    await Promise.all(servers.map(({ after }) => after()))
    await database.stop()
  })

Gone.run()
