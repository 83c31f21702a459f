/** The options of existing session servers for a store in Redis (spec/session-server#19, #20), and the combinations that are refused. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { readNodeSettings } from '../../server/settings/node-settings.ts'
import { redisSettingsOf } from '../../server/settings/redis.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { parseRedisAddress } from '../../stores/redis/address.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const PASSWORD = 'hunter2pw'
const TLS = join(PROJECT, 'test/vectors/tls')

function settingsOf(values: Readonly<Record<string, unknown>>) {
  const { options } = sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'f.yaml', values } })
  return redisSettingsOf(options)
}

function refusalOf(values: Readonly<Record<string, unknown>>): string {
  try {
    settingsOf(values)
    return 'none'
  } catch (error) {
    return String(error)
  }
}

const REDIS = { store_type: 'redis', redis_addr: 'redis.example:6380', redis_pw: PASSWORD }
const SENTINELS = {
  store_type: 'redis',
  redis_sentinel_addrs: ['a.example:26379', 'b.example'],
  redis_sentinel_master_name: 'my master',
  redis_pw: PASSWORD,
}

const Settings = suite('settings of a store in Redis')

Settings('store_type: redis chooses Redis, with TLS unless redis_no_tls is set', () => {
  assert.is(settingsOf(REDIS).store, 'rediss://redis.example:6380/0')
  assert.is(settingsOf({ ...REDIS, redis_no_tls: true, redis_db: 7 }).store, 'redis://redis.example:6380/7')
  assert.is(settingsOf(SENTINELS).store, 'rediss+sentinel://a.example:26379,b.example:26379/my%20master/0')
  assert.is(settingsOf({ store_type: 'memory', redis_addr: 'x:1' }).store, '')
  assert.is(settingsOf({ store: 'sqlite:a.db' }).store, 'sqlite:a.db')
})

Settings('an address of Redis without store_type: redis has no effect, and a warning', async () => {
  const warningsOf = async (values: Readonly<Record<string, unknown>>) => {
    const file = { name: 'f.yaml', values: { schemes_path: DEMO_SCHEMES, redis_pw: PASSWORD, ...values } }
    const { options } = sessionServer.resolve({ flags: {}, variables: {}, file })
    const { warnings } = await readNodeSettings({ options }, () => {})
    return warnings.filter(line => line.includes('redis'))
  }
  const without = (option: string) => [`${option}: without effect, because "store_type" is not redis`]
  assert.equal(await warningsOf({ redis_addr: 'x:1' }), without('redis_addr'))
  assert.equal(await warningsOf({ store_type: 'memory', redis_addr: 'x:1' }), without('redis_addr'))
  assert.equal(await warningsOf({ redis_sentinel_addrs: ['x:1'] }), without('redis_sentinel_addrs'))
  assert.equal(await warningsOf(REDIS), [])
  assert.equal(await warningsOf({}), [])
})

Settings('the options give credentials, TLS and replicas, and the address contains no password', () => {
  const [cert, key] = ['cert', 'key'].map(name => join(TLS, `${name}.pem`))
  const [certificate, privateKey] = [cert, key].map(path => readFileSync(path ?? '', 'utf8'))
  const { store, redis } = settingsOf({
    ...SENTINELS,
    redis_username: 'shop',
    redis_acl_use_key_prefixes: true,
    redis_wait_replicas: 2,
    redis_sentinel_username: 'watcher',
    redis_sentinel_pw: 'other',
    redis_accept_inconsistency_risk: true,
    redis_tls_cert_file: cert,
    redis_tls_client_cert_file: cert,
    redis_tls_client_key_file: key,
  })
  assert.not.match(store, PASSWORD)
  assert.equal(redis, {
    credentials: { username: 'shop', password: PASSWORD },
    sentinelCredentials: { username: 'watcher', password: 'other' },
    tls: { ca: certificate, certificate, key: privateKey },
    hasKeyPrefix: true,
    replicas: 2,
    acceptsLoss: true,
  })
})

const REFUSED: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
  [{ ...REDIS, redis_pw: '' }, 'redis_pw: expected a password, or "redis_allow_empty_password", got none'],
  [{ ...REDIS, redis_addr: '' }, 'redis_addr: expected either redis_addr or redis_sentinel_addrs, got none'],
  [{ ...SENTINELS, ...REDIS }, 'redis_addr: expected either redis_addr or redis_sentinel_addrs, got both'],
  [{ ...REDIS, redis_addr: 'a b' }, 'redis_addr: expected HOST:PORT, got something else'],
  [{ ...SENTINELS, redis_sentinel_master_name: '' }, 'redis_sentinel_master_name: expected the name'],
  [{ ...REDIS, store: 'memory' }, 'store: expected none beside "store_type" redis, got one'],
  [{ ...REDIS, store_type: 'rediss' }, 'store_type: expected redis, memory or none, got "rediss"'],
  [{ ...REDIS, redis_acl_use_key_prefixes: true }, 'redis_username: expected a name, because of'],
  [
    { ...REDIS, redis_no_tls: true, redis_tls_cert: 'x' },
    'redis_tls_cert: expected none, because "redis_no_tls"',
  ],
  [
    {
      ...REDIS,
      redis_tls_client_cert_file: join(TLS, 'cert.pem'),
      redis_tls_client_key_file: join(TLS, 'next-key.pem'),
    },
    'expected the key of the certificate, got another',
  ],
  [{ ...REDIS, redis_tls_client_key_file: 'x' }, 'expected a certificate and its key together, got one'],
  [
    { redis_addr: 'x:1', store: 'redis://y' },
    'redis_addr: expected none beside an address of Redis in "store"',
  ],
]

for (const [values, words] of REFUSED)
  Settings(`refused: ${words}`, () => {
    const refusal = refusalOf(values)
    assert.ok(refusal.includes(words), refusal)
    assert.not.match(refusal, PASSWORD)
  })

Settings('a password may be left out with redis_allow_empty_password', () => {
  const without = { ...REDIS, redis_pw: '', redis_allow_empty_password: true }
  assert.is(settingsOf(without).store, 'rediss://redis.example:6380/0')
})

const ADDRESSES: Readonly<Record<string, unknown>> = {
  'redis://h': { type: 'server', server: { host: 'h', port: 6_379 } },
  'redis://u:p%40@[::1]:1/3': { type: 'server', server: { host: '::1', port: 1 } },
  'redis://localhost?socket=/run/r.sock': { type: 'socket', path: '/run/r.sock' },
  'redis+sentinel://a:1,b/main/2': {
    type: 'sentinels',
    sentinels: [
      { host: 'a', port: 1 },
      { host: 'b', port: 26_379 },
    ],
    masterName: 'main',
  },
}

for (const [text, place] of Object.entries(ADDRESSES))
  Settings(`a valid address: ${text}`, () => assert.equal(parseRedisAddress(text)?.place, place))

Settings('user and password of an address are read, and are not in its name', () => {
  const address = parseRedisAddress('rediss://shop:p%40w@h/3')
  assert.equal(address?.credentials, { username: 'shop', password: 'p@w' })
  assert.equal([address?.name, address?.database, address?.hasTls], ['"rediss://h/3"', 3, true])
})

for (const text of [
  'redis://',
  'redis://h/x',
  'redis://h/1/2',
  'redis://h:99999',
  'redis+sentinel://h',
  'redis://h?x=1',
])
  Settings(`an invalid address: ${text}`, () => assert.is(parseRedisAddress(text), null))

Settings.run()
