/** Values that all options of a kind refuse, and texts that single options refuse. Options that accept every text are listed too, so that a new
 *  option must be in one of the tables. @module */
import type { OptionTraits } from '../../server/settings/kinds.ts'

export type Values = Readonly<Record<string, unknown>>

/** A text that no message may contain. */
export const SECRET = 'top-secret'

/** Wrong values in a settings file, by the kind of the option. */
export const BAD_IN_FILE: Readonly<Record<OptionTraits['form'], readonly unknown[]>> = {
  switch: ['perhaps', '', ' true', 1.5, [], [true], {}],
  number: ['many', '', '-1', '0x10', '010', '1e3', ' 8', -1, 1.5, 1e15, 1e300, true, [8], {}],
  count: ['many', '', '-1', '0x1', -1, 1.5, 3, 1e300, true, [1], {}],
  text: [true, 1.5, 1e300, ['a'], [], {}],
  list: [true, 5, {}, ['a', 5], [['a']], [null]],
  json: ['text', 5, true, ['a'], { a: 5 }, { a: null }, { a: ['b'] }],
  texts: ['text', 5, true, ['a'], { a: 5 }, { a: null }, { a: ['b'] }],
}

/** The same for flags and variables; an empty variable counts as not set. */
export const BAD_IN_TEXT: Readonly<Record<OptionTraits['form'], readonly string[]>> = {
  switch: ['perhaps', ' true', '2', '-1', 'yes'],
  number: ['many', '-1', '1.5', '0x10', '0o17', '0b1', '010', '1e3', '1_000', '+8', ' 8', '9'.repeat(400)],
  count: ['many', '-1', '1.5', '0x1', '3', '9'.repeat(400)],
  text: [],
  list: [],
  json: ['text', '5', '["a"]', '{', '{"a":5}', '{"a":1,"a":2}'],
  texts: ['text', '5', '=x', '5=x', '{', '{"a":5}', '{"a":1,"a":2}'],
}

/** Paths of files that cannot be read. The last one can be opened, but reading it fails. */
const FILES = ['/no/where', '/', 'a\0b', `/${'n'.repeat(5_000)}`, '/proc/self/mem']
const FOLDERS = ['/no/where', '/etc/hostname', 'a\0b', `/${'n'.repeat(5_000)}`]
const LISTENERS = ['[::1', '[::1]:80', '127.0.0.1:80', '256.1.1.1', '-1', 'a b', 'a\0b']
const PROXIES = ['proxy.example', '10.0.0.0/33', '10.0.0', '::g']
const DURATIONS = ['', 'soon', '5', '-1s', '1.5s', '0x5s', '05s', '597h', `${'9'.repeat(400)}h`]
const URLS = [
  'no address',
  'ftp://a.example',
  'http://[::1',
  'http://user:top-secret@a.example',
  'https://',
  'a\0b',
]
const PATHS = ['no-slash', '/a b', '/a/../b', '/%2e', '/a\0b', '']
const STORES = [
  ...[
    'nonsense',
    'sqlite:',
    'postgres://[::1',
    'postgres://user:top-secret@',
    'postgres://user:top-secret@a:99999/b',
  ],
  ...['memory:', 'mysql://user:top-secret@host/b', 'a\0b'],
]

/** Texts that an option refuses, and other options without which the texts would not be checked. */
export type BadTexts = { readonly texts: readonly string[]; readonly beside?: Values }

const REDIS: Values = { store_type: 'redis', redis_addr: 'redis.example:6379', redis_pw: SECRET }
const CLIENT: Values = { client_port: 18_088 }
const MAIL: Values = { email_server: 'mail.example:587', email_from: 'a@example.com' }

const OF_EVERY: Readonly<Record<string, BadTexts>> = {
  profile: { texts: ['', 'SVC', 'other'] },
  schemes_path: { texts: FOLDERS },
  schemes_assets_path: { texts: FOLDERS },
  privkeys: { texts: FOLDERS },
  store_file: { texts: FILES },
  sqlite_synchronous: { texts: ['', 'off', 'FULL'] },
  url: { texts: [...URLS, 'https://a.example/b c'] },
  listen_addr: { texts: LISTENERS },
  inspect_listen_addr: { texts: ['', '192.0.2.1', ...LISTENERS] },
  metrics_listen_addr: { texts: LISTENERS },
  tls_cert: { texts: ['no certificate'], beside: { tls_privkey_file: 'test/vectors/tls/key.pem' } },
  tls_cert_file: { texts: FILES, beside: { tls_privkey_file: 'test/vectors/tls/key.pem' } },
  tls_privkey: { texts: [SECRET], beside: { tls_cert_file: 'test/vectors/tls/cert.pem' } },
  tls_privkey_file: { texts: FILES, beside: { tls_cert_file: 'test/vectors/tls/cert.pem' } },
  arithmetic: { texts: ['', 'fast'] },
  short_checks: { texts: ['', 'never'] },
  stop_timeout: { texts: ['0s', ...DURATIONS] },
  stop_delay: { texts: DURATIONS },
  stop_idle: { texts: DURATIONS },
  max_queue_time: { texts: ['0s', ...DURATIONS] },
}

/** Of the servers that sign results or logins themselves. */
const OF_BOTH: Readonly<Record<string, BadTexts>> = {
  ...OF_EVERY,
  jwt_privkey: { texts: [SECRET] },
  jwt_privkey_file: { texts: FILES },
  keyshare_v1: { texts: ['', 'deny', 'Refuse'] },
}

const OF_REDIS: Readonly<Record<string, BadTexts>> = {
  store: { texts: [...STORES, 'redis://[::1', 'redis://user:top-secret@a:99999', 'redis+sentinel://a:1'] },
  store_type: { texts: ['mysql', 'Redis', 'a\0b'] },
  redis_addr: { texts: ['[::1', ':6379', 'host:port', 'host:99999', 'a b'], beside: REDIS },
  redis_tls_cert: { texts: ['no certificate'], beside: REDIS },
  redis_tls_cert_file: { texts: FILES, beside: REDIS },
  redis_tls_client_cert_file: {
    texts: FILES,
    beside: { ...REDIS, redis_tls_client_key_file: 'test/vectors/tls/key.pem' },
  },
  redis_tls_client_key_file: {
    texts: FILES,
    beside: { ...REDIS, redis_tls_client_cert_file: 'test/vectors/tls/cert.pem' },
  },
}

export const BAD_TEXTS: Readonly<Record<string, Readonly<Record<string, BadTexts>>>> = {
  svcserver: {
    ...OF_BOTH,
    context_base: { texts: ['https://a.example/', ...URLS] },
    long_values: { texts: ['', 'warn'] },
    min_protocol_version: { texts: ['2', '2.3', '3.0', '2.80'] },
    ...OF_REDIS,
    api_prefix: { texts: PATHS },
    static_path: { texts: FOLDERS },
    sdjwtvc_issuer_certificates_dir: { texts: FOLDERS },
    sdjwtvc_issuer_private_keys_dir: { texts: FOLDERS },
    static_prefix: { texts: PATHS },
    client_listen_addr: { texts: LISTENERS, beside: CLIENT },
    client_tls_cert: {
      texts: ['no certificate'],
      beside: { ...CLIENT, client_tls_privkey_file: 'test/vectors/tls/key.pem' },
    },
    client_tls_cert_file: {
      texts: FILES,
      beside: { ...CLIENT, client_tls_privkey_file: 'test/vectors/tls/key.pem' },
    },
    client_tls_privkey: {
      texts: [SECRET],
      beside: { ...CLIENT, client_tls_cert_file: 'test/vectors/tls/cert.pem' },
    },
    client_tls_privkey_file: {
      texts: FILES,
      beside: { ...CLIENT, client_tls_cert_file: 'test/vectors/tls/cert.pem' },
    },
    callback_backoff: { texts: ['0s', ...DURATIONS] },
    callback_backoff_max: { texts: ['0s', ...DURATIONS] },
  },
  svckeyshare: {
    ...OF_BOTH,
    store: { texts: [...STORES, 'redis://a.example'] },
    keyshare_attribute: { texts: ['', 'a', 'a.b.c.d', 'a.b.c.d.e', 'a\0b'] },
    storage_primary_key_file: { texts: ['', ...FILES] },
    storage_fallback_keys_dir: { texts: FOLDERS },
    bind_accounts: { texts: ['', 'never', 'Write'] },
    commitments_of: { texts: ['', 'auto', 'Own'] },
    email_server: {
      texts: ['mail.example', '[::1:25', 'mail.example:0', 'mail.example:99999', 'a b:25'],
      beside: MAIL,
    },
    email_password_file: { texts: FILES, beside: { ...MAIL, email_username: 'svc' } },
    email_from: { texts: ['', 'no address', 'a@', 'A <a@b', 'a\0b@example.com'], beside: MAIL },
    default_language: { texts: ['', 'xx', 'EN'] },
    trusted_proxies: { texts: PROXIES },
  },
  svcoidc: {
    ...OF_EVERY,
    ...OF_REDIS,
    trusted_proxies: { texts: PROXIES },
    app_link: { texts: ['no address', 'ftp://a.example', 'a\0b'] },
    storage_primary_key_file: { texts: ['', ...FILES] },
    storage_fallback_keys_dir: { texts: FOLDERS },
    interaction_lifetime: { texts: ['0s', ...DURATIONS] },
    code_lifetime: { texts: ['0s', ...DURATIONS] },
    access_token_lifetime: { texts: ['0s', ...DURATIONS] },
    id_token_lifetime: { texts: ['0s', ...DURATIONS] },
    login_lifetime: { texts: ['0s', ...DURATIONS] },
  },
}

/** Options of which `resolve` reads only the form of JSON. The tests in server/oidc-claims check their content. */
export const READ_LATER: readonly string[] = ['claims', 'scopes', 'subject', 'clients', 'session_server']

/** Options that accept every text: names, passwords, and texts that only another server can check. */
export const ANY_TEXT = [
  ...['jwt_issuer', 'redis_username', 'redis_pw', 'redis_sentinel_username', 'redis_sentinel_pw'],
  ...['redis_sentinel_master_name', 'email_hostname', 'email_username', 'email_password'],
]
