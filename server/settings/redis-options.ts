/** The options of a store in a Redis or Valkey server, by the names that existing session servers give them (spec/session-server#19, #20). The option `store` may
 *  contain the same facts as an address. @module */
import { integer, list, text, toggle } from './kinds.ts'

export const redis = {
  store_type: text('', {
    placeholder: 'redis',
    defaultWords: 'none: "store" names the place',
    description: '"redis": the store is the Redis server that "redis_addr" or "redis_sentinel_addrs" name',
  }),
  redis_addr: text('', { placeholder: 'HOST:PORT', description: 'address of the Redis or Valkey server' }),
  redis_sentinel_addrs: list([], {
    placeholder: 'HOST:PORT,...',
    description: 'addresses of the Sentinels that name the Redis server',
  }),
  redis_sentinel_master_name: text('', {
    placeholder: 'NAME',
    description: 'name of the Redis server at these Sentinels',
  }),
  redis_sentinel_username: text('', { placeholder: 'NAME', description: 'user name for these Sentinels' }),
  redis_sentinel_pw: text('', {
    placeholder: 'PASSWORD',
    isSecret: true,
    description: 'password for these Sentinels',
  }),
  redis_accept_inconsistency_risk: toggle(false, {
    description:
      'accept that a fail-over loses commits that no replica has, and that a power cut loses revocations',
  }),
  redis_wait_replicas: integer(0, [0, 16], {
    description:
      'number of replicas that must confirm a commit before the server sends its answers and events',
  }),
  redis_username: text('', { placeholder: 'NAME', description: 'user name for the Redis server' }),
  redis_pw: text('', {
    placeholder: 'PASSWORD',
    isSecret: true,
    description: 'password for the Redis server',
  }),
  redis_allow_empty_password: toggle(false, { description: 'allow "store_type" redis without a password' }),
  redis_acl_use_key_prefixes: toggle(false, {
    description:
      'begin the names of keys and of the channel with the user name and ":", as the ACL rules for this user may require',
  }),
  redis_db: integer(0, [0, 9_999], { description: 'number of the database in the Redis server' }),
  redis_tls_cert: text('', {
    placeholder: 'PEM',
    defaultWords: 'the authorities that the system trusts',
    description:
      'certificate of the Redis server, or of the authority that issued it; it verifies the server',
  }),
  redis_tls_cert_file: text('', { placeholder: 'FILE', description: 'file with that certificate' }),
  redis_tls_client_cert_file: text('', {
    placeholder: 'FILE',
    description: 'file with the client certificate that this server presents to the Redis server',
  }),
  redis_tls_client_key_file: text('', {
    placeholder: 'FILE',
    description: 'file with the private key of that certificate',
  }),
  redis_no_tls: toggle(false, { description: 'connect to the server of "store_type" redis without TLS' }),
}

/** The names of these options. */
export const REDIS_OPTIONS = [
  'store_type',
  'redis_addr',
  'redis_sentinel_addrs',
  'redis_sentinel_master_name',
  'redis_sentinel_username',
  'redis_sentinel_pw',
  'redis_accept_inconsistency_risk',
  'redis_wait_replicas',
  'redis_username',
  'redis_pw',
  'redis_allow_empty_password',
  'redis_acl_use_key_prefixes',
  'redis_db',
  'redis_tls_cert',
  'redis_tls_cert_file',
  'redis_tls_client_cert_file',
  'redis_tls_client_key_file',
  'redis_no_tls',
] as const satisfies readonly (keyof typeof redis)[]
