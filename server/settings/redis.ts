/** Reads the options of a store in a Redis or Valkey server (redis-options.ts): its address and the credentials of a node. @module */
import { type HostAndPort, hostAndPort, isRedis, type RedisOptions } from '../../stores/redis/address.ts'
import { certificateIn, checkPair, refuse, storeAddressOf, textOrFile } from './checks.ts'
import type { redis } from './redis-options.ts'
import type { OptionValues } from './session-server.ts'

type RedisValues = Pick<OptionValues, keyof typeof redis | 'store' | 'store_file'>

/** Reads the options of the store.
 *  @throws {SettingsError} about options that contradict each other, never with a password */
export function redisSettingsOf(options: RedisValues): {
  readonly store: string
  readonly redis: RedisOptions
} {
  return { store: storeOf(options), redis: redisOptionsOf(options) }
}

/** @returns the address in the options of existing servers (`store_type` redis); otherwise the value of `store` */
function storeOf(options: RedisValues): string {
  const store = storeAddressOf(options)
  const { store_type: type, redis_addr: address, redis_sentinel_addrs: sentinels } = options
  if (type !== '' && type !== 'memory' && type !== 'redis')
    refuse('store_type', `expected redis, memory or none, got ${JSON.stringify(type.slice(0, 40))}`)
  const given = address !== '' ? 'redis_addr' : sentinels.length > 0 ? 'redis_sentinel_addrs' : null
  if (type !== 'redis') {
    if (given !== null && isRedis(store))
      refuse(given, 'expected none beside an address of Redis in "store", got one')
    return store
  }
  if (store !== '') refuse('store', 'expected none beside "store_type" redis, got one')
  if ((address === '') === (sentinels.length === 0))
    refuse(
      'redis_addr',
      `expected either redis_addr or redis_sentinel_addrs, got ${address ? 'both' : 'none'}`,
    )
  if (options.redis_pw === '' && !options.redis_allow_empty_password)
    refuse('redis_pw', 'expected a password, or "redis_allow_empty_password", got none')
  return addressOf(options)
}

function addressOf(options: RedisValues): string {
  const { redis_addr, redis_sentinel_addrs, redis_sentinel_master_name: name } = options
  const { redis_no_tls: isPlain, redis_db: database } = options
  const scheme = isPlain ? 'redis' : 'rediss'
  if (redis_addr !== '') return `${scheme}://${shown(redis_addr, 'redis_addr', 6_379)}/${database}`
  if (name === '')
    refuse('redis_sentinel_master_name', 'expected the name of the server among the Sentinels, got none')
  const sentinels = redis_sentinel_addrs.map(each => shown(each, 'redis_sentinel_addrs', 26_379))
  return `${scheme}+sentinel://${sentinels.join()}/${encodeURIComponent(name)}/${database}`
}

function shown(address: string, option: string, normally: number): string {
  const { host, port }: HostAndPort =
    hostAndPort(address, normally) ?? refuse(option, 'expected HOST:PORT, got something else')
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

function redisOptionsOf(options: RedisValues): RedisOptions {
  const { redis_username: username, redis_pw: password } = options
  if (options.redis_acl_use_key_prefixes && username === '' && options.store_type === 'redis')
    refuse('redis_username', 'expected a name, because of "redis_acl_use_key_prefixes", got none')
  return {
    credentials: { username, password },
    sentinelCredentials: {
      username: options.redis_sentinel_username,
      password: options.redis_sentinel_pw,
    },
    tls: tlsOf(options),
    hasKeyPrefix: options.redis_acl_use_key_prefixes,
    replicas: options.redis_wait_replicas,
    acceptsLoss: options.redis_accept_inconsistency_risk,
  }
}

function tlsOf(options: RedisValues): RedisOptions['tls'] {
  const { redis_tls_client_cert_file: certificateFile, redis_tls_client_key_file: keyFile } = options
  const ca = textOrFile('redis_tls_cert', options.redis_tls_cert, options.redis_tls_cert_file)
  if (ca && options.redis_no_tls) refuse(ca.option, 'expected none, because "redis_no_tls" is true, got one')
  if ((certificateFile === '') !== (keyFile === ''))
    refuse('redis_tls_client_key_file', 'expected a certificate and its key together, got one of them')
  const certificate = textOrFile('redis_tls_client_cert', '', certificateFile)
  const key = textOrFile('redis_tls_client_key', '', keyFile)
  if (ca) certificateIn(ca)
  if (certificate && key) checkPair(certificate, key)
  return { ca: ca?.text ?? null, certificate: certificate?.text ?? null, key: key?.text ?? null }
}
