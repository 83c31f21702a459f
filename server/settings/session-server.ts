/** The settings of `svc server`: options of existing servers under the same names (spec/session-server#20), and our own. This one list drives the flags, the
 *  variables, the files, the defaults and the printed reference. Every option here is used by code. @module */
import { PROFILES, type Profile } from '../../protocol/profiles.ts'
import { RESULT_KEPT_MS } from '../../sessions/result.ts'
import { defineSettings } from './define-settings.ts'
import { FOREIGN_OPTIONS } from './foreign-options.ts'
import { address, below, choice, duration, integer, list, text, toggle } from './kinds.ts'
import { MEMBERS, requestors, revocation_settings, static_sessions } from './objects-by-name.ts'
import { redis } from './redis-options.ts'
import { sdJwt } from './sd-jwt-options.ts'
import {
  description,
  inspector,
  keyshareProofs,
  listenAddress,
  logging,
  metrics,
  mode,
  plainHttp,
  reading,
  schemeFolders,
  sqlite,
  storeFile,
  tls,
  work,
} from './shared-options.ts'

/** The name of this server in its variables, its files and the results that it signs. */
const NAME = 'svcserver'

/** @returns the default of each profile, in words */
function byProfile(value: (profile: Profile) => unknown): string {
  return Object.values(PROFILES)
    .map(profile => `${value(profile)} (${profile.name})`)
    .join(', ')
}

const identity = {
  ...mode,
  context_base: text('', {
    placeholder: 'URL',
    defaultWords: "the profile's",
    description: 'start of every @context',
  }),
  min_protocol_version: choice(['', '2.4', '2.5', '2.6', '2.7', '2.8'], {
    placeholder: 'X.Y',
    defaultWords: `the profile's: ${byProfile(({ minProtocolVersion }) => minProtocolVersion)}`,
    description: 'lowest version of the wallet app protocol that is served',
  }),
}

const listening = {
  url: text('', {
    short: 'u',
    placeholder: 'URL',
    defaultWords: 'http://ADDRESS:PORT of this machine and api_prefix; production: none, must be given',
    description:
      'address at which wallet apps reach this server, api_prefix included; ":port" stands for the port',
  }),
  port: integer(8088, [1, 65_535], { short: 'p', description: 'port to listen on' }),
  ...listenAddress,
  api_prefix: text('/', {
    short: 'a',
    placeholder: 'PATH',
    description: 'path prefix of every endpoint',
  }),
  client_port: integer(0, [0, 65_535], {
    defaultWords: '0: the same listener for all',
    description: 'port of a separate listener for wallet apps and frontends; requestors then use only "port"',
  }),
  client_listen_addr: address('', {
    defaultWords: 'all addresses',
    description: 'address for that listener',
  }),
}

const certificates = {
  ...tls,
  client_tls_cert: text('', {
    placeholder: 'PEM',
    description: 'TLS certificate chain of the listener on client_port',
  }),
  client_tls_cert_file: text('', { placeholder: 'FILE', description: 'file with that certificate chain' }),
  client_tls_privkey: text('', {
    placeholder: 'PEM',
    isSecret: true,
    description: 'TLS private key of the listener on client_port',
  }),
  client_tls_privkey_file: text('', { placeholder: 'FILE', description: 'file with that private key' }),
  ...plainHttp,
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
      'start also when issue_perms or revoke_perms name a credential type in full whose private key is missing',
  }),
  host_perms: list([], {
    description:
      'hosts, with wildcards, that every requestor may name as "host" of a request; if the list is empty, only the host of "url" is allowed; else that host is allowed only if it is in the list; ports are compared in the profile irma only',
  }),
}

const files = {
  static_path: text('', {
    placeholder: 'DIR',
    defaultWords: 'none',
    description: 'directory of files to serve to browsers, at the same address as wallet apps use',
  }),
  static_prefix: text('/', {
    placeholder: 'PATH',
    description: 'path prefix of these files, after api_prefix',
  }),
}

const sessions = {
  static_sessions,
  max_session_lifetime: integer(0, [0, 10_080], {
    unit: 'minutes',
    defaultWords: `0: ${byProfile(({ defaultTimeoutMs }) => defaultTimeoutMs / 60_000)}`,
    description: 'how long a session may wait in an open status for which the request sets no timeout',
  }),
  session_result_lifetime: integer(RESULT_KEPT_MS / 60_000, [0, 10_080], {
    unit: 'minutes',
    description: `how long a finished session is kept; 0 means ${RESULT_KEPT_MS / 60_000}`,
  }),
  max_streams: integer(10_000, [1, 1_000_000], {
    description:
      'most open event streams of sessions, and also most open event streams of revocation updates; one session may have 32',
  }),
  long_values: choice(['allow', 'refuse'], {
    description:
      'values of which the issuer signs the hash, because they are longer than the key allows (32 bytes with 2048 bits): refuse issues no such value, and accepts no text of 25 bytes or more as a disclosed value, because it may be such a hash',
  }),
  augment_client_return_url: toggle(false, {
    description:
      'allow requests to have the token of the session added to their clientReturnUrl, as the query parameter "token"',
  }),
  max_client_return_url: integer(2_000, [1, 1_048_576], {
    description:
      'how many characters the clientReturnUrl of a session request may have, without the token that is added to it; a request with a longer one is refused (400)',
  }),
}

const results = {
  jwt_issuer: text(NAME, {
    short: 'j',
    placeholder: 'NAME',
    description: 'name of this server in signed results (iss)',
  }),
  jwt_privkey: text('', {
    placeholder: 'PEM',
    isSecret: true,
    description: 'RSA private key that signs results (result-jwt, getproof, callbacks)',
  }),
  jwt_privkey_file: text('', { placeholder: 'FILE', description: 'file with that key' }),
  outgoing_hosts: list(['*'], {
    production: ['public'],
    placeholder: 'HOST,...',
    description:
      'hosts that requestors may let this server call (callbackUrl, nextSession.url): *, public (no private, loopback, link-local or metadata address), a host, .domain with its subdomains, or a network such as 10.1.0.0/16; a host that is named may have any address',
  }),
  callback_backoff: duration('1s', {
    description: 'wait before a callback that failed is posted again; doubled each time',
  }),
  callback_backoff_max: duration('15m', {
    description: 'longest such wait; after 24 h a callback is not posted any more',
  }),
  max_owed_callbacks: integer(10_000, [1, 10_000_000], {
    description:
      'callbacks of one requestor, and callbacks to one host, that may wait for their delivery; from then on a new session with a callback is refused (503). Sessions that are open already are not counted: each may add one callback',
  }),
  allow_unsigned_callbacks: toggle(false, {
    description:
      'allow callbackUrl and nextSession without jwt_privkey in the profile irma; results are then posted unsigned',
  }),
}

const stores = {
  store: text('', {
    placeholder: 'memory|sqlite:FILE|postgres:ADDRESS|redis:ADDRESS',
    defaultWords: "sqlite: sessions.sqlite in the user's data directory",
    description:
      'where sessions are remembered; several servers may share postgres://USER:PASSWORD@HOST/DATABASE, redis://USER:PASSWORD@HOST:PORT/DATABASE, rediss://... with TLS, or redis+sentinel://HOST:PORT,HOST:PORT/NAME/DATABASE',
  }),
  ...storeFile,
  ...redis,
  ...sqlite,
}

export const sessionServer = defineSettings({
  name: NAME,
  command: 'svc server',
  members: MEMBERS,
  foreign: FOREIGN_OPTIONS,
  options: {
    ...below('Mode and protocol', identity),
    ...below('Schemes and keys', schemeFolders),
    ...below('Store', stores),
    ...below('Listeners', { ...listening, ...reading, ...description }),
    ...below('TLS', certificates),
    ...below('Files for browsers', files),
    ...below('Who may do what', permissions),
    ...below('Sessions', sessions),
    ...below('Keyshare protocol', keyshareProofs),
    ...below('Results and callbacks', results),
    ...below('Revocation', { revocation_settings }),
    ...below('SD-JWT VC', sdJwt),
    ...below('Work, and how the server stops', work),
    ...below('Inspector and metrics', { ...inspector, ...metrics }),
    ...below('Log', logging),
  },
})

export type SessionOptionShape = typeof sessionServer.options

/** Every option of `svc server` with its value, before the parts of the server are made. */
export type OptionValues = ReturnType<typeof sessionServer.resolve>['options']
