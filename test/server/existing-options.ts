/** Every option of the existing session server (spec/session-server#20), with a value: accepted, ignored and refused ones. @module */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export type Values = Readonly<Record<string, unknown>>

const folder = temporaryFolder()
const VECTORS = join(PROJECT, 'test/vectors')
const PAGES = join(folder, 'pages')
mkdirSync(PAGES)
const TOKEN_FILE = join(folder, 'shop.token')
writeFileSync(TOKEN_FILE, 'the token of the shop\n')
const PERMS = {
  disclose_perms: ['svc-demo.gov.*'],
  sign_perms: ['svc-demo.gov.*'],
  issue_perms: ['svc-demo.uni.*'],
  revoke_perms: ['svc-demo.fast.*'],
}
export const ASKING = {
  callbackUrl: 'https://shop.example/results',
  request: {
    '@context': 'https://irma.app/ld/request/disclosure/v2',
    disclose: [[['svc-demo.gov.idcard.over18']]],
  },
}

const SD_JWT = {
  certificates: join(VECTORS, 'sd-jwt/pki/certs'),
  keys: join(VECTORS, 'sd-jwt/pki/keys'),
}

/** Options with the same meaning in both servers, with a value other than their default. */
export const TAKEN: Values = {
  production: true,
  schemes_path: DEMO_SCHEMES,
  schemes_assets_path: DEMO_SCHEMES,
  schemes_update: 30,
  privkeys: folder,
  static_path: PAGES,
  static_prefix: '/pages',
  url: 'https://id.example:port/base/irma/',
  port: 20_443,
  listen_addr: '127.0.0.1',
  api_prefix: '/base',
  client_port: 20_444,
  client_listen_addr: '127.0.0.1',
  no_auth: false,
  requestors: {
    shop: { auth_method: 'token', key_file: TOKEN_FILE, ...PERMS, host_perms: ['*.example'] },
    hospital: { auth_method: 'hmac', key: 'c2VjcmV0IG9mIHRoZSBob3NwaXRhbCwgMzIgYnl0ZXM=', ...PERMS },
    office: {
      auth_method: 'publickey',
      key_file: join(VECTORS, 'keys/requestor-rs256.public.pem'),
    },
  },
  disclose_perms: ['svc-demo.gov.idcard.over18'],
  sign_perms: [],
  issue_perms: [],
  revoke_perms: [],
  skip_private_keys_check: true,
  static_sessions: { door: ASKING },
  sdjwtvc: { issuer_certificates_dir: SD_JWT.certificates, issuer_private_keys_dir: SD_JWT.keys },
  sdjwtvc_issuer_certificates_dir: SD_JWT.certificates,
  sdjwtvc_issuer_private_keys_dir: SD_JWT.keys,
  max_session_lifetime: 14,
  session_result_lifetime: 4,
  revocation_settings: { 'svc-demo.fast.badge': { tolerance: 60 } },
  store_type: 'redis',
  redis_addr: 'redis.example:6379',
  redis_accept_inconsistency_risk: true,
  redis_username: 'shop',
  redis_pw: 'password',
  redis_acl_use_key_prefixes: true,
  redis_db: 2,
  jwt_issuer: 'our-server',
  jwt_privkey_file: join(VECTORS, 'keys/session-jwt.private.pem'),
  max_request_age: 200,
  allow_unsigned_callbacks: true,
  augment_client_return_url: true,
  tls_cert_file: join(VECTORS, 'tls/cert.pem'),
  tls_privkey_file: join(VECTORS, 'tls/key.pem'),
  client_tls_cert_file: join(VECTORS, 'tls/cert.pem'),
  client_tls_privkey_file: join(VECTORS, 'tls/key.pem'),
  no_tls: true,
  verbose: 1,
  quiet: true,
  log_json: true,
}

/** Accepted options that cannot be combined with one of `TAKEN`. */
export const TAKEN_ALONE: Values = {
  redis_sentinel_addrs: ['sentinel.example:26379'],
  redis_sentinel_master_name: 'main',
  redis_sentinel_username: 'a',
  redis_sentinel_pw: 'b',
  redis_allow_empty_password: true,
  redis_tls_cert: 'no certificate',
  redis_tls_cert_file: '/no/certificate',
  redis_tls_client_cert_file: '/no/certificate',
  redis_tls_client_key_file: '/no/key',
  redis_no_tls: true,
  jwt_privkey: 'no key',
  tls_cert: 'no certificate',
  tls_privkey: 'no key',
  client_tls_cert: 'no certificate',
  client_tls_privkey: 'no key',
}

/** Options without effect, with the reason. */
export const IGNORED: Readonly<Record<string, readonly [value: unknown, why: string]>> = {
  sse: [true, 'event streams are always on'],
  enable_sse: [true, 'event streams are always on'],
  email: ['a@b.example', 'irmaserver makes no use of it either'],
  no_email: [true, 'irmaserver makes no use of it either'],
}

/** Options that stop the start, with the remedy. */
export const REFUSED: Readonly<Record<string, readonly [value: unknown, remedy: RegExp]>> = {
  disable_schemes_update: [true, /write "schemes_update: 0" in its place/],
  disable_tls: [true, /write "no_tls: true" in its place/],
  redis_settings: [{ address: 'redis:6379' }, /write each of its members as an option of its own/],
  sdjwtvc_issuer_certificates_path: ['/x', /write "sdjwtvc_issuer_certificates_dir" in its place/],
  sdjwtvc_issuer_priv_keys_path: ['/x', /write "sdjwtvc_issuer_private_keys_dir" in its place/],
  revocation_db_type: ['postgres', /data for revocation is kept in "store"/],
  revocation_db_str: ['host=db', /data for revocation is kept in "store"/],
}
