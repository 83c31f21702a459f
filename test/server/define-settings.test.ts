import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { defineSettings } from '../../server/settings/define-settings.ts'
import { below, facts, integer, text, toggle } from '../../server/settings/kinds.ts'
import { optionsReference } from '../../server/settings/reference.ts'
import { uncheckedSettings } from '../../server/settings/server-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const NOWHERE = { flags: {}, variables: {}, file: undefined }

const Defined = suite('settings of a server, from one list of its options')

Defined('each server has its own name in its variables, flags, files and messages', () => {
  const other = defineSettings({
    name: 'svcother',
    command: 'svc other',
    members: {},
    foreign: {
      name: 'elsewhere',
      defaults: {},
      inSmallLetters: [],
      shortFlags: {},
      ignored: { old: 'it is old' },
      refused: {},
    },
    options: {
      listen_addr: text('', { description: 'address' }),
      most_calls: integer(7, [1, 9], { description: 'calls' }),
      is_open: toggle(true, { description: 'open' }),
    },
  })
  const variables = { SVCOTHER_MOST_CALLS: '8', SVCSERVER_MOST_CALLS: '9' }
  assert.equal(other.resolve({ ...NOWHERE, variables }).options, {
    listen_addr: '',
    most_calls: 8,
    is_open: true,
  })
  const { options, warnings } = other.resolve({
    flags: { most_calls: '2' },
    variables,
    file: { name: 'f', values: { is_open: false, old: 1 } },
  })
  assert.equal(options, { listen_addr: '', most_calls: 2, is_open: false })
  assert.equal(warnings, ['old in f: ignored, because it is old'])
  const page = optionsReference(other)
  assert.ok(page.includes('| `most_calls` | `--most-calls <N>` | 7 | calls |'))
  assert.not.match(page, 'svcserver')
  assert.not.match(page, 'svc server')
})

Defined('an option that several servers share has the same heading in all of them', () => {
  const shared = { shared: integer(1, [1, 2], { description: 'shared' }) }
  below('One', below('One', shared))
  assert.throws(() => below('Other', shared), /expected "One", as in another server, got "Other"/)
})

/** For each option, a value other than its default. */
const OTHERS: Readonly<Record<string, unknown>> = {
  production: true,
  profile: 'irma',
  context_base: 'https://a.example',
  min_protocol_version: '2.6',
  schemes_path: '/a',
  schemes_assets_path: '/a',
  privkeys: '/b',
  schemes_update: 61,
  store: 'memory',
  arithmetic: 'bigint',
  sqlite_synchronous: 'full',
  stop_timeout: '7s',
  stop_delay: '6s',
  stop_idle: '5s',
  max_header_size: 65,
  workers: 3,
  short_checks: 'here',
  max_queue_time: '8s',
  spare_primes: 9,
  openapi: false,
  url: 'https://b.example/',
  port: 1,
  listen_addr: '192.0.2.2',
  api_prefix: '/c',
  client_port: 2,
  client_listen_addr: '192.0.2.3',
  tls_cert: 'no certificate',
  tls_cert_file: '/no/certificate',
  tls_privkey: 'no key',
  tls_privkey_file: '/no/key',
  client_tls_cert: 'no certificate',
  client_tls_cert_file: '/no/certificate',
  client_tls_privkey: 'no key',
  client_tls_privkey_file: '/no/key',
  no_tls: true,
  static_path: '/d',
  static_prefix: '/e',
  no_auth: false,
  requestors: { shop: { auth_method: 'token', key: 'k' } },
  signed_requests_only: true,
  max_request_age: 3,
  disclose_perms: ['a.*'],
  sign_perms: ['b.*'],
  issue_perms: ['c.*'],
  revoke_perms: ['d.*'],
  skip_private_keys_check: true,
  host_perms: ['e'],
  revocation_settings: { 'a.b.c': { authority: true } },
  static_sessions: { 'no name': {} },
  sdjwtvc: { issuer_certificates_dir: '/f', issuer_private_keys_dir: '/g' },
  sdjwtvc_issuer_certificates_dir: '/h',
  sdjwtvc_issuer_private_keys_dir: '/i',
  max_session_lifetime: 4,
  session_result_lifetime: 6,
  max_streams: 9,
  augment_client_return_url: true,
  max_client_return_url: 8,
  long_values: 'refuse',
  keyshare_v1: 'refuse',
  outgoing_hosts: ['public'],
  jwt_issuer: 'another',
  jwt_privkey: 'no key',
  jwt_privkey_file: '/no/key',
  callback_backoff: '2s',
  callback_backoff_max: '3m',
  max_owed_callbacks: 7,
  allow_unsigned_callbacks: true,
  inspect: true,
  inspect_port: 7,
  inspect_listen_addr: '127.0.0.2',
  metrics_port: 9,
  metrics_listen_addr: '127.0.0.3',
  verbose: 1,
  quiet: true,
  log_json: true,
  store_file: '/no/address',
  store_type: 'redis',
  redis_addr: 'redis.example',
  redis_sentinel_addrs: ['sentinel.example'],
  redis_sentinel_master_name: 'main',
  redis_sentinel_username: 'f',
  redis_sentinel_pw: 'g',
  redis_accept_inconsistency_risk: true,
  redis_wait_replicas: 2,
  redis_username: 'h',
  redis_pw: 'i',
  redis_allow_empty_password: true,
  redis_acl_use_key_prefixes: true,
  redis_db: 3,
  redis_tls_cert: 'no certificate',
  redis_tls_cert_file: '/no/certificate',
  redis_tls_client_cert_file: '/no/certificate',
  redis_tls_client_key_file: '/no/key',
  redis_no_tls: true,
}

const IN_REDIS = { store_type: 'redis', redis_pw: 'i' }

/** Other options that an option needs, or whose default depends on it. */
const BESIDE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  production: { no_auth: true, issue_perms: ['*'], openapi: true, outgoing_hosts: ['*'] },
  static_prefix: { static_path: '/d' },
  jwt_issuer: { jwt_privkey_file: join(PROJECT, 'test/vectors/keys/session-jwt.private.pem') },
  allow_unsigned_callbacks: { profile: 'irma' },
  redis_addr: IN_REDIS,
  redis_sentinel_addrs: IN_REDIS,
  redis_sentinel_master_name: { ...IN_REDIS, redis_sentinel_addrs: ['sentinel.example'] },
  redis_allow_empty_password: { store_type: 'redis', redis_addr: 'redis.example' },
  redis_db: { ...IN_REDIS, redis_addr: 'redis.example' },
  redis_no_tls: { ...IN_REDIS, redis_addr: 'redis.example' },
}

/** The settings of a node with these options, or the refusal. */
function outcome(settings: typeof sessionServer, values: Readonly<Record<string, unknown>>): unknown {
  try {
    const { options } = settings.resolve({ ...NOWHERE, file: { name: 'f', values } })
    // these are read later with the schemes, in settings/node-settings.ts
    const { revocation_settings: revocation, schemes_update: schemesUpdate, schemes_assets_path } = options
    return { ...uncheckedSettings(options, '192.0.2.1'), revocation, schemesUpdate, schemes_assets_path }
  } catch (error) {
    return error instanceof Error ? error.message.replace(' in f:', ':') : error
  }
}

Defined('the table of the next test has a value for every option', () => {
  assert.equal(Object.keys(OTHERS).sort(), [...sessionServer.names].sort())
})

for (const [name, other] of Object.entries(OTHERS))
  Defined(`only the schema has the default of ${name}: a node uses another one that is written there`, () => {
    const beside = BESIDE[name] ?? {}
    const options: Readonly<Record<string, z.ZodType>> = sessionServer.options
    const changed = z.preprocess(given => given ?? other, options[name] ?? z.never())
    changed.register(facts, sessionServer.factsOf(name))
    const altered = defineSettings({
      ...sessionServer,
      options: { ...sessionServer.options, [name]: changed },
    })
    const got = outcome(altered, beside)
    assert.not.equal(got, outcome(sessionServer, beside))
    assert.equal(got, outcome(sessionServer, { ...beside, [name]: other }))
  })
Defined.run()
