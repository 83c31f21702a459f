/** Refusals and warnings about Redis servers, from the information and settings that a server reports. @module */
import * as assert from 'uvu/assert'
import type { ServerLocation } from '../../../stores/redis/address.ts'
import {
  askFacts,
  refusalOf,
  type ServerFacts,
  type ServerRequirements,
  warningsOf,
} from '../../../stores/redis/server-checks.ts'
import { suite } from '../../suite.ts'

const SERVER: ServerLocation = { type: 'server', server: { host: 'h', port: 1 } }
const SENTINELS: ServerLocation = { type: 'sentinels', sentinels: [{ host: 'h', port: 1 }], masterName: 'm' }
const NEEDS: ServerRequirements = { place: SERVER, replicas: 0, acceptsLoss: false, isAuthority: false }

type Said = Readonly<Record<string, string>>

const INFO: Said = {
  redis_mode: 'standalone',
  role: 'master',
  maxmemory: '1000',
  maxmemory_policy: 'noeviction',
  aof_enabled: '1',
}
const SETTINGS: Said = { appendfsync: 'always', 'min-replicas-to-write': '1' }

/** A reliable server, except for the given facts. */
function factsOf(info: Said = {}, settings: Said | null = {}): ServerFacts {
  return {
    info: new Map(Object.entries({ ...INFO, ...info })),
    settings: settings && new Map(Object.entries({ ...SETTINGS, ...settings })),
  }
}

function warned(facts: ServerFacts, needs: Partial<ServerRequirements> = {}): string {
  return [...warningsOf(facts, { ...NEEDS, ...needs })].join('\n')
}

function refused(facts: ServerFacts, needs: Partial<ServerRequirements> = {}): string {
  return refusalOf(facts, { ...NEEDS, ...needs }) ?? 'nothing'
}

const Checks = suite('checks of the facts that a Redis server reports')

Checks('a reliable server is accepted without warnings, also for an authority and with Sentinels', () => {
  const needs = { place: SENTINELS, replicas: 1, isAuthority: true }
  assert.equal([refused(factsOf(), needs), warned(factsOf(), needs)], ['nothing', ''])
})

Checks(
  'a cluster, a Sentinel, a replica and an evicting server are refused, even if losses are accepted',
  () => {
    const accepting = { acceptsLoss: true }
    assert.match(refused(factsOf({ redis_mode: 'cluster' }), accepting), 'got the mode "cluster"')
    assert.match(refused(factsOf({ server_mode: 'cluster' }), accepting), 'got the mode "cluster"')
    assert.match(refused(factsOf({ redis_mode: 'sentinel' }), accepting), 'got the mode "sentinel"')
    assert.match(refused(factsOf({ role: 'slave' }), accepting), 'expected the primary server, got a replica')
    assert.match(refused(factsOf({ maxmemory_policy: 'allkeys-lru' }), accepting), 'got "allkeys-lru"')
    assert.is(refused(factsOf({ maxmemory_policy: 'allkeys-lru', maxmemory: '0' })), 'nothing')
  },
)

Checks('an authority needs synced persistence, and Sentinels need redis_wait_replicas', () => {
  const authority = { isAuthority: true }
  const got = [
    refused(factsOf({ aof_enabled: '0' }), authority),
    refused(factsOf({}, { appendfsync: 'everysec' }), authority),
    refused(factsOf({}, null), authority),
  ]
  for (const [i, had] of [
    'appendonly no and appendfsync always',
    'appendonly yes and appendfsync everysec',
    'appendonly yes and appendfsync unknown',
  ].entries())
    assert.match(got[i] ?? '', `of a revocation authority, got ${had}`)
  assert.match(
    refused(factsOf(), { place: SENTINELS }),
    'expected "redis_wait_replicas" of at least 1 with Sentinels, got 0',
  )
  const lossy = factsOf({ aof_enabled: '0' })
  assert.is(refused(lossy, { ...authority, place: SENTINELS, acceptsLoss: true }), 'nothing')
  assert.is(refused(lossy), 'nothing')
})

Checks('each accepted loss has one warning', () => {
  const lossy = factsOf({ aof_enabled: '0' })
  assert.is(
    warned(lossy),
    'the server has appendonly no: sessions and callbacks that are owed are lost when it ends',
  )
  assert.match(
    warned(lossy, { isAuthority: true }),
    /^the server has appendonly no and appendfsync always: a crash may lose revocations[^\n]*$/,
  )
  assert.is(warned(factsOf({}, { appendfsync: 'everysec' })), '')
  assert.is(
    warned(factsOf(), { place: SENTINELS }),
    'a fail-over loses the commits that no replica has ("redis_wait_replicas" is 0)',
  )
})

Checks('a server whose min-replicas-to-write is too low has a warning', () => {
  const words = 'the server has min-replicas-to-write below 2'
  assert.match(warned(factsOf(), { replicas: 2 }), words)
  assert.match(warned(factsOf({}, null), { replicas: 2 }), words)
  assert.is(warned(factsOf({}, { 'min-replicas-to-write': '2' }), { replicas: 2 }), '')
  assert.is(warned(factsOf({}, { 'min-replicas-to-write': '0' })), '')
})

Checks('a server without maxmemory has a warning', () => {
  assert.match(warned(factsOf({ maxmemory: '0' })), /^the server has no maxmemory/)
})

Checks('both kinds of line ends are read; settings that the server does not reveal are null', async () => {
  const asked: string[] = []
  const connection = {
    async ask(command: readonly string[]): Promise<unknown> {
      asked.push(command.join(' '))
      if (command[0] === 'INFO') return '# Server\r\nrole:master\nexecutable:/a:b\r\n'
      throw new Error('NOPERM')
    },
  }
  const { info, settings } = await askFacts(connection)
  assert.equal([info.get('role'), info.get('executable'), settings], ['master', '/a:b', null])
  assert.equal(asked, ['INFO', 'CONFIG GET appendfsync min-replicas-to-write'])
})

Checks.run()
