/** The settings of `svc server` (session-server options of the specification's notes, and our own): this one list drives the flags, the
 *  variables, the files, the defaults and the printed reference. An option that no code serves does not stand here. @module */
import { z } from 'zod'
import { DURATION } from './duration.ts'

/** How a value is written as text, in a flag or a variable. */
type Form = 'text' | 'number' | 'switch' | 'count' | 'list' | 'json'

export type Facts = {
  readonly form: Form
  readonly description: string
  readonly short?: string
  /** what stands for the value in the usage text */
  readonly placeholder?: string
  readonly unit?: string
  /** default of a production server, where it differs */
  readonly production?: unknown
  /** default in words, where it follows from others */
  readonly defaultWords?: string
  /** the value never stands in a message */
  readonly isSecret?: boolean
}

type Given = Omit<Facts, 'form'>

/** What each option says beside its schema. */
export const facts = z.registry<Facts>()

function toggle(normally: boolean, given: Given) {
  const schema = z.boolean({ error: 'expected true or false' }).default(normally)
  return schema.register(facts, { form: 'switch', ...given })
}

function text(normally: string, given: Given) {
  const schema = z.string({ error: 'expected text' }).default(normally)
  return schema.register(facts, { form: 'text', placeholder: 'TEXT', ...given })
}

function choice<const Words extends readonly [string, ...string[]]>(words: Words, given: Given) {
  const schema = z.enum(words, { error: `expected one of ${words.filter(Boolean).join(', ')}` })
  return schema.default(words[0] as z.output<typeof schema>).register(facts, {
    form: 'text',
    placeholder: words.join('|'),
    ...given,
  })
}

function integer(normally: number, [least, most]: readonly [number, number], given: Given) {
  const error = `expected an integer from ${least} to ${most}`
  const schema = z.int({ error }).min(least, { error }).max(most, { error }).default(normally)
  return schema.register(facts, { form: 'number', placeholder: 'N', ...given })
}

function count(most: number, given: Given) {
  const error = `expected an integer from 0 to ${most}`
  const schema = z.int({ error }).min(0, { error }).max(most, { error }).default(0)
  return schema.register(facts, { form: 'count', ...given })
}

function duration(normally: string, given: Given) {
  const schema = z.string().regex(DURATION, { error: 'expected a duration such as 50ms, 1s, 15m or 2h' })
  return schema.default(normally).register(facts, { form: 'text', placeholder: 'DURATION', ...given })
}

const patterns = z.array(z.string({ error: 'expected text' }), { error: 'expected a list of patterns' })

function list(normally: readonly string[], given: Given) {
  return patterns
    .default([...normally])
    .register(facts, { form: 'list', placeholder: 'PATTERN,...', ...given })
}

const requestor = z.object(
  {
    auth_method: z.string({ error: 'expected an authentication method' }),
    key: z.string({ error: 'expected text' }).optional(),
    key_file: z.string({ error: 'expected the name of a file' }).optional(),
    disclose_perms: patterns.default([]),
    sign_perms: patterns.default([]),
    issue_perms: patterns.default([]),
    revoke_perms: patterns.default([]),
    host_perms: patterns.default([]),
  },
  { error: 'expected an object' },
)
export type RequestorOption = z.output<typeof requestor>
export const requestorMembers: readonly string[] = Object.keys(requestor.shape)

const requestors = z
  .record(z.string(), requestor, { error: 'expected an object: requestor name to its settings' })
  .default({})
  .register(facts, {
    form: 'json',
    placeholder: 'JSON',
    isSecret: true,
    description:
      'requestors by name: {auth_method: "token", "hmac" or "publickey", key or key_file, disclose_perms, sign_perms, issue_perms, revoke_perms, host_perms}; the key is the token, the secret in Base64, or an RSA public key or certificate in PEM',
  })

const seconds = 'expected seconds, at least 30'

const revocationOfType = z.object(
  {
    authority: z.boolean({ error: 'expected true or false' }).default(false),
    server: z.boolean({ error: 'expected true or false' }).default(false),
    revocation_server_url: z.string({ error: 'expected the address of a server' }).default(''),
    tolerance: z.int({ error: seconds }).min(30, { error: seconds }).optional(),
    sse: z.boolean({ error: 'expected true or false' }).default(false),
  },
  { error: 'expected an object' },
)
export type RevocationOption = z.output<typeof revocationOfType>
export const revocationMembers: readonly string[] = Object.keys(revocationOfType.shape)

const revocation_settings = z
  .record(z.string(), revocationOfType, { error: 'expected an object: credential type to its settings' })
  .default({})
  .register(facts, {
    form: 'json',
    placeholder: 'JSON',
    description:
      'revocation by credential type: {authority, server, revocation_server_url, tolerance, sse}; authority: this server revokes, and keeps what that needs; server: it tells others what it has from revocation_server_url; tolerance: seconds (at least 30; default 600) that what is known may be old; sse: hear of changes from the event stream of that server',
  })

const identity = {
  production: toggle(false, {
    description: 'production mode: no developer mode in requests, safe defaults, unsafe settings refused',
  }),
  profile: choice(['svc', 'irma'], { description: 'names and rules on the wire' }),
  context_base: text('', {
    placeholder: 'URL',
    defaultWords: "the profile's",
    description: 'start of every @context',
  }),
  min_protocol_version: choice(['', '2.4', '2.5', '2.6', '2.7', '2.8'], {
    placeholder: 'X.Y',
    defaultWords: "the profile's: 2.4 (svc), 2.8 (irma)",
    description: 'lowest version of the wallet app protocol that is served',
  }),
}

const listening = {
  url: text('', {
    short: 'u',
    placeholder: 'URL',
    defaultWords: 'http://ADDRESS:PORT of this machine; production: none, must be given',
    description: 'address at which wallet apps reach this server; ":port" stands for the port',
  }),
  port: integer(8088, [1, 65_535], { short: 'p', description: 'port to listen on' }),
  listen_addr: text('', {
    short: 'l',
    placeholder: 'ADDRESS',
    defaultWords: 'all addresses',
    description: 'address to listen on',
  }),
  tls_cert: text('', { placeholder: 'PEM', description: 'TLS certificate chain' }),
  tls_cert_file: text('', { placeholder: 'FILE', description: 'file with the TLS certificate chain' }),
  tls_privkey: text('', { placeholder: 'PEM', isSecret: true, description: 'TLS private key' }),
  tls_privkey_file: text('', { placeholder: 'FILE', description: 'file with the TLS private key' }),
  no_tls: toggle(false, { description: 'allow an address in "url" that is not https in production' }),
}

const permissions = {
  no_auth: toggle(true, {
    production: false,
    description: 'accept session requests without authentication',
  }),
  requestors,
  signed_requests_only: toggle(false, {
    description: 'accept session requests only when they are signed (hmac or publickey)',
  }),
  max_request_age: integer(300, [1, 604_800], {
    unit: 'seconds',
    description: 'longest age of a signed session request',
  }),
  disclose_perms: list(['*'], { description: 'attributes that every requestor may ask for' }),
  sign_perms: list(['*'], { description: 'attributes that every requestor may ask for in signatures' }),
  issue_perms: list(['*'], {
    production: [],
    description: 'credential types that every requestor may issue',
  }),
  revoke_perms: list([], { description: 'credential types that every requestor may revoke' }),
  skip_private_keys_check: toggle(false, {
    description:
      'start although the private key for a credential type that issue_perms or revoke_perms name in full is missing',
  }),
  host_perms: list([], {
    description:
      'hosts, with wildcards, that every requestor may use; without any that of "url" alone, else that one only if it matches',
  }),
}

const sessions = {
  max_session_lifetime: integer(0, [0, 10_080], {
    unit: 'minutes',
    defaultWords: '0: 5 (svc), 15 (irma)',
    description: 'longest wait in an open status that no timeout of the request bounds',
  }),
  session_result_lifetime: integer(5, [0, 10_080], {
    unit: 'minutes',
    description: 'time that a finished session is kept; 0 means 5',
  }),
  augment_client_return_url: toggle(false, {
    description: 'allow requests to have the token of the session added to their clientReturnUrl',
  }),
}

const results = {
  jwt_issuer: text('svcserver', {
    placeholder: 'NAME',
    description: 'name of this server in signed results (iss)',
  }),
  jwt_privkey: text('', {
    placeholder: 'PEM',
    isSecret: true,
    description: 'RSA private key that signs results (result-jwt, getproof, callbacks)',
  }),
  jwt_privkey_file: text('', { placeholder: 'FILE', description: 'file with that key' }),
  callback_backoff: duration('1s', {
    description: 'wait before a callback that failed is posted again; doubled each time',
  }),
  callback_backoff_max: duration('15m', { description: 'longest such wait; after 24 h nothing follows' }),
  allow_unsigned_callbacks: toggle(false, {
    description:
      'allow callbackUrl and nextSession without jwt_privkey in the profile irma, where results are signed otherwise',
  }),
}

const parts = {
  schemes_path: text('', {
    short: 's',
    placeholder: 'DIR',
    defaultWords: "svc_configuration in the user's data directory",
    description: 'directory of the schemes',
  }),
  privkeys: text('', {
    short: 'k',
    placeholder: 'DIR',
    defaultWords: 'none',
    description: 'directory of further issuer private keys',
  }),
  store: text('', {
    placeholder: 'memory|sqlite:FILE',
    defaultWords: "sqlite: sessions.sqlite in the user's data directory",
    description: 'where sessions are remembered',
  }),
  arithmetic: choice(['auto', 'openssl', 'bigint'], {
    description: 'arithmetic of proof checks; auto takes openssl when its self-test passes',
  }),
  workers: integer(0, [0, 256], {
    defaultWords: '0: one per core',
    description: 'threads that check proofs',
  }),
}

const logging = {
  verbose: count(2, {
    short: 'v',
    description:
      'level of the log: 1 debug, 2 trace; from 1 on, errors are answered with a stack trace; as a flag repeatable',
  }),
  quiet: toggle(false, { short: 'q', description: 'no logging' }),
  log_json: toggle(false, { description: 'log lines as JSON' }),
}

export const serverSchema = z.object({
  ...identity,
  ...parts,
  ...listening,
  ...permissions,
  revocation_settings,
  ...sessions,
  ...results,
  ...logging,
})

/** Every option with its value: what `svc server` runs on, before the parts are made of it. */
export type OptionValues = Readonly<z.output<typeof serverSchema>>
