/** Keys of the records of an OpenID provider in a Redis server: none outlives its record. @module */
import * as assert from 'uvu/assert'
import { NEVER } from '../../../stores/oidc-store.ts'
import type { SessionServerStore } from '../../../stores/store.ts'
import { isMissing } from '../../project.ts'
import { ENGINES, emptyRedis, type RedisServer } from '../../redis.ts'
import { suite } from '../../suite.ts'
import { commitOidc, deleting, oidcRecord, setting } from '../oidc-rows.ts'
import { until } from '../other-connection.ts'
import { openRedis } from './open.ts'

type StoreAndServer = { readonly store: SessionServerStore; readonly server: RedisServer }

const HOUR = 3_600_000

/** The time that a key has left, ms. */
async function leftMs(server: RedisServer, key: string): Promise<number> {
  return Number(await server.ask('PTTL', key))
}

async function keysOf(server: RedisServer): Promise<readonly string[]> {
  const keys = (await server.ask('KEYS', 'svc:oidc*')) as string[]
  return [...keys].sort()
}

const TESTS: Readonly<Record<string, (given: StoreAndServer) => Promise<void>>> = {
  async 'the server deletes a record when it expires, and the sets of its grant and uid with it'({
    store,
    server,
  }) {
    const row = oidcRecord('a', { grant: 'g', uid: 'u', expiresAt: Date.now() + HOUR })
    assert.ok(await commitOidc(store, setting(row)))
    const keys = ['svc:oidc-grant:g', 'svc:oidc-uid:AccessToken:u', 'svc:oidc:AccessToken:a']
    assert.equal(await keysOf(server), ['svc:oidc-expiry', ...keys])
    for (const key of keys) {
      const behindMs = (await leftMs(server, key)) - HOUR
      assert.ok(Math.abs(behindMs) < 60_000, `${key}: ${behindMs} ms behind the record`)
    }
    await server.ask('PEXPIRE', 'svc:oidc:AccessToken:a', '1')
    await until(async () => (await store.oidc.find('AccessToken', 'a')) === null)
    assert.is(await store.oidc.findByUid('AccessToken', 'u'), null)
    assert.ok(await commitOidc(store, setting(row)))
  },

  async 'the set of a grant expires with its last record'({ store, server }) {
    const at = (id: string, hours: number) =>
      setting(oidcRecord(id, { grant: 'g', expiresAt: Date.now() + hours * HOUR }))
    assert.ok(await commitOidc(store, at('a', 2)))
    assert.ok(await commitOidc(store, at('b', 5), at('c', 1)))
    const behindMs = (await leftMs(server, 'svc:oidc-grant:g')) - 5 * HOUR
    assert.ok(Math.abs(behindMs) < 60_000, `${behindMs} ms behind`)
  },

  async 'a record that has expired already is not stored'({ store, server }) {
    assert.ok(await commitOidc(store, setting(oidcRecord('a', { expiresAt: Date.now() - HOUR, grant: 'g' }))))
    assert.equal(await keysOf(server), ['svc:oidc-expiry'])
    assert.ok(await store.oidc.dropExpired(Date.now(), 9))
    assert.equal(await keysOf(server), [])
  },

  async 'permanent records stay'({ store, server }) {
    assert.ok(await commitOidc(store, setting(oidcRecord('k', { kind: 'Keys', expiresAt: NEVER }))))
    assert.ok((await leftMs(server, 'svc:oidc:Keys:k')) > 1_000 * 365 * 24 * HOUR)
  },

  async 'deletions leave no key behind once their sets have expired'({ store, server }) {
    const rows = ['a', 'b', 'c'].map(id => oidcRecord(id, { grant: 'g', uid: id }))
    assert.ok(await commitOidc(store, ...rows.map(setting)))
    assert.ok(await commitOidc(store, deleting({ kind: 'AccessToken', id: 'a' })))
    assert.ok(await store.commit({ oidc: { withoutGrant: 'g' } }))
    const left = await keysOf(server)
    assert.equal(
      left.filter(key => !key.startsWith('svc:oidc-uid:')),
      ['svc:oidc-expiry'],
    )
    for (const key of left.slice(1)) assert.ok((await leftMs(server, key)) > 0, key)
    assert.ok(await store.oidc.dropExpired(NEVER, 9))
    assert.is(await store.oidc.count(), 0)
  },
}

for (const engine of ['Redis', 'Valkey'] as const) {
  const Records = suite(`keys of an OpenID provider in ${engine}`)
  const test = isMissing(engine, ENGINES[engine] !== null) ? Records.skip : Records
  for (const [title, body] of Object.entries(TESTS))
    test(title, async () => {
      const server = await emptyRedis(engine)
      const store = await openRedis(server)
      try {
        await body({ store, server })
      } finally {
        await store.close()
      }
    })
  Records.run()
}
