/** Connections to a PostgreSQL database that a network has lost silently: neither side gets an answer or an error. @module */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { openStore } from '../../stores/open.ts'
import { freePort, startSvc } from '../cli/run-svc.ts'
import { type StoreProxy, storeProxy } from '../faults/cluster/store-proxy.ts'
import { inTime, until } from '../patience.ts'
import { hasPostgres, newPostgresDatabase } from '../postgres.ts'
import { DEMO_SCHEMES, isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { commitSession } from './commits.ts'
import { sessionRow } from './rows.ts'

const Silent = suite('connections to PostgreSQL that are lost silently')
const test = isMissing('PostgreSQL', hasPostgres) ? Silent.skip : Silent

async function proxied(): Promise<{ proxy: StoreProxy; address: string; direct: string }> {
  const direct = await newPostgresDatabase()
  const { pathname, searchParams, username } = new URL(direct.replace('@/', '@socket/'))
  const proxy = await storeProxy({ path: join(searchParams.get('host') ?? '', '.s.PGSQL.5432') })
  return { proxy, direct, address: `postgres://${username}@127.0.0.1:${proxy.port}${pathname}` }
}

test('a node notices that its listening connection is lost, listens again, and tells subscribers to reload', async () => {
  const { proxy, address, direct } = await proxied()
  const clock = createSimulatedClock(Date.now())
  const other = await openStore(direct, 'boot A', { clock })
  const store = await openStore(address, 'boot B', { clock })
  assert.ok(await commitSession(other, 'id-s', 0, sessionRow('s')))
  const heard: number[] = []
  let missed = 0
  store.subscribe(
    (_id, change) => heard.push(change?.version ?? 0),
    () => {
      missed += 1
    },
  )
  try {
    proxy.silence()
    await until(() => {
      if (missed === 0) clock.advance(1_000)
      return missed > 0
    }, 'the node to notice the lost connection')
    const change = { id: 'id-s', version: 2, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' } as const
    assert.ok(await commitSession(other, 'id-s', 1, sessionRow('s', { version: 2 }), { change }))
    await until(() => heard.length > 0, 'the commit of the other node')
    assert.equal([missed, heard], [1, [2]])
  } finally {
    await store.close()
    await other.close()
    proxy.close()
  }
})

test('a stopping server ends, although the database does not answer', async () => {
  const { proxy, address } = await proxied()
  const words = ['--schemes-path', DEMO_SCHEMES, '--store', address, '--workers', '1']
  const port = await freePort()
  const running = startSvc(['server', ...words, '--port', `${port}`, '--listen-addr', '127.0.0.1'])
  await running.says('svc server running')
  const ask = () => fetch(`http://127.0.0.1:${port}/session/unknown/status`)
  await Promise.all(Array.from({ length: 20 }, ask)) // on several connections, which are idle afterwards
  proxy.set('half-open')
  running.process.kill('SIGTERM')
  const { code } = await inTime(running.finished, 'the end of the server')
  running.process.kill('SIGKILL')
  proxy.close()
  assert.is(code, 0)
})

Silent.run()
