/** How a node connects to its Redis server: TLS, rules for users (ACL), and Sentinels with a fail-over between real processes. @module */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { SessionServerStore } from '../../../stores/store.ts'
import { freePort } from '../../cli/run-svc.ts'
import { spawnUntilTestsEnd } from '../../end-process.ts'
import { pause, until, untilThere } from '../../patience.ts'
import { isMissing } from '../../project.ts'
import { askAt, ENGINES, IN_MEMORY, startRedis } from '../../redis.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { commitSession } from '../commits.ts'
import { sessionRow } from '../rows.ts'
import { openRedis } from './open.ts'

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('no failure'),
    (error: Error) => error,
  )
}

const WaysIn = suite('connections to a real Redis server')
const test = isMissing('Redis', ENGINES.Redis !== null) ? WaysIn.skip : WaysIn

test('a TLS server is accepted with a trusted certificate, and refused otherwise', async () => {
  const folder = temporaryFolder()
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2']
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  execFileSync('openssl', ['req', ...made, ...names], { stdio: 'ignore' })
  const port = await freePort()
  const tls = ['--tls-port', `${port}`, '--tls-cert-file', cert, '--tls-key-file', key]
  const server = await startRedis('Redis', [...IN_MEMORY, ...tls, '--tls-auth-clients', 'no'], folder)
  const address = `rediss://127.0.0.1:${port}`
  const ca = readFileSync(cert, 'utf8')
  const store = await openRedis({ address }, { redis: { tls: { ca, certificate: null, key: null } } })
  assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
  assert.is(await server.ask('EXISTS', 'svc:session:id-s'), 1)
  await store.close()
  const unknown =
    /certificate.*: see that the server speaks TLS with a certificate that is trusted here \("redis_tls_cert_file"\)/
  assert.match((await failureOf(openRedis({ address }))).message, unknown)
  await server.kill()
})

test('TLS with a server that has none: the message names redis_no_tls', async () => {
  const port = await freePort()
  const server = await startRedis('Redis', [...IN_MEMORY, '--bind', '127.0.0.1', '--port', `${port}`])
  const asked = await failureOf(openRedis({ address: `rediss://127.0.0.1:${port}` }))
  await server.kill()
  const remedy = /: see that the server runs.* by TLS; if it has no TLS, set "redis_no_tls: true"/
  assert.match(asked.message, remedy)
  const { message } = await failureOf(openRedis({ address: `redis://127.0.0.1:${port}` }))
  assert.match(message, /: see that the server runs, and that this machine reaches it without TLS/)
})

test('a user with a key prefix needs only the permissions in the guide', async () => {
  const server = await startRedis('Redis', [...IN_MEMORY])
  const rule =
    '~shop:* &shop:* +@read +@write +@scripting +@pubsub +@connection +info +wait +time +config|get'
  await server.ask('ACL', 'SETUSER', 'shop', 'on', '>word', ...rule.split(' '))
  const asShop = { address: server.address.replace('//', '//shop:word@') }
  const refused = await failureOf(openRedis(asShop))
  assert.match(
    refused.message,
    /NOPERM.*let this user run the commands that docs\/operating\.md names.*"redis_acl_use_key_prefixes"/,
  )
  const store = await openRedis(asShop, { redis: { hasKeyPrefix: true } })
  const heard: number[] = []
  store.subscribe((_id, change) => heard.push(change?.version ?? 0))
  const other = await openRedis(asShop, { bootId: 'boot B', redis: { hasKeyPrefix: true } })
  assert.ok(await commitSession(other, 'id-s', 0, sessionRow('s')))
  const change = { id: 'id-s', version: 2, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' } as const
  assert.ok(await commitSession(other, 'id-s', 1, sessionRow('s', { version: 2 }), { change }))
  await until(() => heard.length > 0, 'the commit of the other node')
  assert.equal([heard, (await store.sessions.load('id-s'))?.version], [[2], 2])
  for (const key of (await server.ask('KEYS', '*')) as string[]) assert.match(key, /^shop:svc:/)
  await store.close()
  await other.close()
  await server.kill()
})

type Replicated = Awaited<ReturnType<typeof startReplicated>>

/** Two servers, one of which replicates the other, and a Sentinel that knows them. */
async function startReplicated() {
  const ports = [await freePort(), await freePort(), await freePort()] as const
  const [first, second, sentinel] = ports
  const quick = ['--repl-diskless-sync-delay', '0', '--bind', '127.0.0.1']
  const primary = await startRedis('Redis', [...IN_MEMORY, ...quick, '--port', `${first}`])
  const following = ['--port', `${second}`, '--replicaof', '127.0.0.1', `${first}`]
  const replica = await startRedis('Redis', [...IN_MEMORY, ...quick, ...following])
  const isLinked = async (): Promise<boolean> =>
    String(await replica.ask('INFO', 'replication')).includes('master_link_status:up')
  await until(isLinked, 'a replica that is linked to its primary')
  const folder = temporaryFolder()
  const file = join(folder, 'sentinel.conf')
  const lines = [
    `port ${sentinel}`,
    'bind 127.0.0.1',
    `unixsocket ${join(folder, 's')}`,
    `dir ${folder}`,
    `sentinel monitor svc 127.0.0.1 ${first} 1`,
    'sentinel down-after-milliseconds svc 600000', // a slow machine must not cause a fail-over: the test asks for it
    'sentinel failover-timeout svc 2000',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const child = spawnUntilTestsEnd([ENGINES.Redis ?? '', file, '--sentinel'], folder, 'SIGKILL')
  return {
    primary,
    replica,
    address: `redis+sentinel://127.0.0.1:${sentinel}/svc/0`,
    askSentinel: (...words: string[]) => askAt(join(folder, 's'), ['SENTINEL', ...words, 'svc']),
    end: () => child.kill(),
  }
}

/** Retries until the Sentinel knows the replica too, so that a fail-over is possible. */
async function openBySentinel({ address }: Replicated): Promise<SessionServerStore> {
  const open = (): Promise<SessionServerStore | null> =>
    openRedis({ address }, { redis: { replicas: 1 } }).catch(() => null)
  return untilThere(open, 'a Sentinel that knows the primary and its replica')
}

test('a node follows a fail-over, and the commits that replicas had are still there', async () => {
  const servers = await startReplicated()
  const unbounded = await failureOf(openRedis(servers))
  assert.match(
    unbounded.message,
    /expected "redis_wait_replicas" of at least 1 with Sentinels, got 0|Sentinel/,
  )
  const store = await openBySentinel(servers)
  let missed = 0
  store.subscribe(
    () => {},
    () => {
      missed += 1
    },
  )
  assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
  const isKnown = async (): Promise<boolean> =>
    /master-link-status"[,:]"ok/.test(JSON.stringify(await servers.askSentinel('REPLICAS')))
  await until(isKnown, 'a Sentinel that knows the replica')
  await servers.primary.kill()
  // refused while a fail-over is in progress, and after it
  const failOver = (): Promise<unknown> => servers.askSentinel('FAILOVER').catch(() => null)
  await until(
    () => missed > 0,
    'the fail-over',
    () => failOver().then(() => pause(50)),
  )
  assert.equal(await store.nodes.isAlive('boot A'), true)
  assert.equal(await store.sessions.load('id-s'), sessionRow('s'))
  const moved = sessionRow('s', { version: 2 })
  assert.match(
    (await failureOf(commitSession(store, 'id-s', 1, moved))).message,
    /expected 1 replicas to have a commit/,
  )
  await store.close()
  servers.end()
  await servers.replica.kill()
})

WaysIn.run()
