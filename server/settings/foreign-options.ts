/** Options of the existing servers of these protocols that our servers lack (spec/decisions#d29, spec/session-server#20, spec/keyshare-server#16). An option is
 *  ignored if it changes nothing here. It is refused if our server would behave otherwise than the settings file asks. @module */

/** The facts about the existing server of one kind. */
export type ForeignOptions = {
  /** the name of its settings files; in capitals, the prefix of its variables */
  readonly name: string
  /** its own defaults, where they differ from ours */
  readonly defaults: Readonly<Record<string, string>>
  /** options with named objects, whose names it reads in small letters */
  readonly inSmallLetters: readonly string[]
  /** letters of its short flags for options that have no flag here */
  readonly shortFlags: Readonly<Record<string, string>>
  /** options that are ignored, and why that changes nothing */
  readonly ignored: Readonly<Record<string, string>>
  /** options that stop the start */
  readonly refused: Readonly<Record<string, Refused>>
}

type Refused = {
  /** values that change nothing here: this server behaves in that way anyway */
  readonly harmless: readonly string[]
  /** the advice for the person who starts the server */
  readonly instead: string
}

/** @returns the name of the variable of the existing server for an option */
export function existingVariable({ name }: Pick<ForeignOptions, 'name'>, option: string): string {
  return `${name}_${option}`.toUpperCase()
}

/** The options of Redis of an existing keyshare server have an effect only with `store_type: redis`, which is refused. Our keyshare server keeps neither accounts nor sessions in Redis. */
const KEYSHARE_REDIS: readonly string[] = [
  'redis_addr',
  'redis_sentinel_addrs',
  'redis_sentinel_master_name',
  'redis_accept_inconsistency_risk',
  'redis_username',
  'redis_pw',
  'redis_sentinel_username',
  'redis_sentinel_pw',
  'redis_allow_empty_password',
  'redis_acl_use_key_prefixes',
  'redis_db',
  'redis_tls_cert',
  'redis_tls_cert_file',
  'redis_tls_client_key_file',
  'redis_tls_client_cert_file',
  'redis_no_tls',
]

const REVOCATION =
  'data for revocation is kept in "store" (sqlite:FILE); "svc issuer import-revocation" copies it from that database'

const SCHEMES: ForeignOptions['refused'] = {
  disable_schemes_update: { harmless: ['false'], instead: 'write "schemes_update: 0" in its place' },
  disable_tls: { harmless: ['false'], instead: 'write "no_tls: true" in its place' },
}

const STREAMS = 'event streams are always on'

const NO_MAIL = 'irmaserver makes no use of it either'

/** The existing session server. */
export const FOREIGN_OPTIONS: ForeignOptions = {
  name: 'irmaserver',
  defaults: { profile: 'irma', jwt_issuer: 'irmaserver' },
  inSmallLetters: ['requestors', 'static_sessions'],
  shortFlags: { email: 'e' },
  ignored: { sse: STREAMS, enable_sse: STREAMS, email: NO_MAIL, no_email: NO_MAIL },
  refused: {
    ...SCHEMES,
    revocation_db_type: { harmless: [''], instead: REVOCATION },
    revocation_db_str: { harmless: [''], instead: REVOCATION },
    redis_settings: {
      harmless: [''],
      instead: 'write each of its members as an option of its own ("redis_addr", "redis_pw", ...)',
    },
    sdjwtvc_issuer_certificates_path: {
      harmless: [''],
      instead: 'write "sdjwtvc_issuer_certificates_dir" in its place',
    },
    sdjwtvc_issuer_priv_keys_path: {
      harmless: [''],
      instead: 'write "sdjwtvc_issuer_private_keys_dir" in its place',
    },
  },
}

const IN_REDIS = 'no accounts and no sessions are kept in Redis'

const ACCOUNTS =
  'accounts are kept where "store" says (sqlite:FILE, or a postgres:// address); "svc keyshare import" copies them from that database'

const POOL = 'this server decides itself how many connections to its store are open'

/** The existing keyshare server. */
export const FOREIGN_KEYSHARE_OPTIONS: ForeignOptions = {
  name: 'keyshareserver',
  defaults: { profile: 'irma' },
  inSmallLetters: [
    ...['registration_email_files', 'registration_email_subjects', 'verification_url'],
    ...['expired_email_files', 'expired_email_subjects'],
  ],
  shortFlags: {},
  ignored: {
    enable_sse: STREAMS,
    db_max_idle: POOL,
    db_max_open: POOL,
    db_max_idle_time: POOL,
    db_max_open_time: POOL,
    ...Object.fromEntries([...KEYSHARE_REDIS, 'redis_settings'].map(name => [name, IN_REDIS])),
  },
  refused: {
    db_type: { harmless: [''], instead: ACCOUNTS },
    db_str: { harmless: [''], instead: ACCOUNTS },
    db_connstring: { harmless: [''], instead: ACCOUNTS },
    jwt_key_id: { harmless: [''], instead: 'write "jwt_privkey_id" in its place' },
    storage_fallback_key_files: {
      harmless: [''],
      instead: 'put these files into one folder, and write its name in "storage_fallback_keys_dir"',
    },
    store_type: {
      harmless: ['', 'memory'],
      instead: 'sessions of the login credential are kept where "store" says',
    },
    ...SCHEMES,
  },
}

/** For the OpenID provider: no existing server has settings files like ours. */
export const NO_FOREIGN_OPTIONS: ForeignOptions = {
  name: 'svcoidc',
  defaults: {},
  inSmallLetters: [],
  shortFlags: {},
  ignored: {},
  refused: {},
}
