/** A running node whose Redis server has changed: it has another password, or the Sentinel still names a server that has become a replica. @module */
import { createServer } from 'node:net'
import * as assert from 'uvu/assert'
import { openDeliveries } from '../../../stores/open.ts'
import { isMissing } from '../../project.ts'
import { ENGINES, IN_MEMORY, startRedis } from '../../redis.ts'
import { suite } from '../../suite.ts'
import { commitSession } from '../commits.ts'
import { failureOf, until } from '../other-connection.ts'
import { sessionRow } from '../rows.ts'
import { openRedis } from './open.ts'

const Changed = suite('a Redis server that changes while a node runs')
const test = isMissing('Redis', ENGINES.Redis !== null) ? Changed.skip : Changed

test('a node whose password is refused logs it, and works again once the password is accepted', async () => {
  const server = await startRedis('Redis')
  await server.ask('ACL', 'SETUSER', 'shop', 'on', '>hunter2pw', 'allkeys', 'allchannels', 'allcommands')
  const lines: string[] = []
  const tell = { failing: (line: string) => lines.push(line), working() {} }
  const address = server.address.replace('//', '//shop:hunter2pw@')
  const store = await openRedis({ address }, { tell })
  const other = await openRedis(server, { bootId: 'boot B' })
  const heard: string[] = []
  store.subscribe(
    (_id, change) => heard.push(`${change?.version}`),
    () => heard.push('missed'),
  )
  assert.ok(await commitSession(other, 'id-s', 0, sessionRow('s')))
  await store.sessions.load('id-s')
  assert.equal([store.sessions.recent?.('id-s')?.version, await store.sessions.count()], [1, 1])
  await server.ask('ACL', 'SETUSER', 'shop', 'resetpass', '>other2pw')
  await server.ask('CLIENT', 'KILL', 'USER', 'shop')
  await until(() => lines.some(line => /WRONGPASS.*see that user and password are right/.test(line)))
  assert.match(
    (await failureOf(store.sessions.load('id-s'))).message,
    /expected to read and write the server/,
  )
  const change = { id: 'id-s', version: 2, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' } as const
  assert.ok(await commitSession(other, 'id-s', 1, sessionRow('s', { version: 2 }), { change }))
  assert.ok(await commitSession(other, 'id-t', 0, sessionRow('t')))
  await server.ask('ACL', 'SETUSER', 'shop', 'resetpass', '>hunter2pw')
  await until(() => heard.length > 0)
  // this node was notified of neither commit, and the server may be a different one
  assert.equal([store.sessions.recent?.('id-s'), await store.sessions.count()], [null, 2])
  assert.equal([heard, (await store.sessions.load('id-s'))?.version], [['missed'], 2])
  for (const line of lines) assert.not.match(line, /hunter2pw|other2pw/)
  for (const each of [store, other]) await each.close()
  await server.kill()
})

/** A Sentinel that names the port that the test chooses. */
async function sentinelNaming(port: () => number) {
  const server = createServer(socket => {
    socket.on('error', () => {}) // the close event follows
    socket.on('data', asked => {
      const isHello = asked.includes('HELLO')
      const [host, place] = ['127.0.0.1', String(port())]
      const named = `*2\r\n$${host.length}\r\n${host}\r\n$${place.length}\r\n${place}\r\n`
      socket.write(isHello ? '%1\r\n$6\r\nserver\r\n$5\r\nredis\r\n' : named)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a port')
  return { address: `redis+sentinel://127.0.0.1:${address.port}/svc`, close: () => server.close() }
}

test('while the Sentinel names a former primary, commits fail; the node retries until it names the new one', async () => {
  const settings = [...IN_MEMORY, '--bind', '127.0.0.1', '--repl-diskless-sync-delay', '0']
  const [old, young] = [await startOnPort(settings), await startOnPort(settings)]
  const named = { port: old.port }
  const sentinel = await sentinelNaming(() => named.port)
  const lines: string[] = []
  const tell = { failing: (line: string) => lines.push(line), working() {} }
  const store = await openRedis(sentinel, { tell, redis: { acceptsLoss: true } })
  assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
  await young.ask('REPLICAOF', '127.0.0.1', `${old.port}`)
  await until(async () => String(await young.ask('INFO', 'replication')).includes('master_link_status:up'))
  await young.ask('REPLICAOF', 'NO', 'ONE')
  await old.ask('REPLICAOF', '127.0.0.1', `${young.port}`)
  assert.match(
    (await failureOf(commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 })))).message,
    /READONLY|expected to read and write the server/,
  )
  await until(() => lines.some(line => /expected the primary server, got a replica/.test(line)))
  assert.not.match((await failureOf(store.sessions.load('id-s'))).message, 'no failure')
  named.port = young.port
  await until(() =>
    store.sessions.load('id-s').then(
      row => row?.version === 1,
      () => false,
    ),
  )
  assert.ok(await commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 })))
  assert.is(await young.ask('HGET', 'svc:session:id-s', 'v'), '2')
  await store.close()
  sentinel.close()
  for (const server of [old, young]) await server.kill()
})

/** Starts a server on a port of loopback, through which another server can replicate it. */
async function startOnPort(settings: readonly string[]) {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => probe.once('listening', resolve))
  const address = probe.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await new Promise(resolve => probe.close(resolve))
  const server = await startRedis('Redis', [...settings, '--port', `${port}`])
  return { ...server, port }
}

test('svc deliveries needs no redis_wait_replicas behind a Sentinel, unlike a session server', async () => {
  const server = await startOnPort([...IN_MEMORY, '--bind', '127.0.0.1'])
  const sentinel = await sentinelNaming(() => server.port)
  assert.match((await failureOf(openRedis(sentinel))).message, /expected "redis_wait_replicas" of at least 1/)
  const { deliveries, close } = await openDeliveries(sentinel.address)
  assert.equal(await deliveries.list(), [])
  await close()
  sentinel.close()
  await server.kill()
})

Changed.run()
