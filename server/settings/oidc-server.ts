/** The settings of `svc oidc`, an OpenID provider in front of a session server. This one list drives the flags, the variables, the files, the defaults and the
 *  printed reference. Every option here is used by code. @module */
import { defineSettings } from './define-settings.ts'
import { NO_FOREIGN_OPTIONS } from './foreign-options.ts'
import { below, duration, integer, text } from './kinds.ts'
import { remoteOptions, signInOptions } from './oidc/options.ts'
import { redis } from './redis-options.ts'
import {
  inspector,
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
  trustedProxies,
  work,
} from './shared-options.ts'

const stores = {
  store: text('', {
    placeholder: 'memory|sqlite:FILE|postgres:ADDRESS|redis:ADDRESS',
    defaultWords: "sqlite: oidc.sqlite in the user's data directory",
    description:
      'where logins are remembered until their tokens expire; several servers may share postgres://USER:PASSWORD@HOST/DATABASE or a Redis server',
  }),
  ...storeFile,
}

const keys = {
  storage_primary_key_file: text('', {
    placeholder: 'FILE',
    defaultWords: 'none, must be given',
    description:
      'file with the key that encrypts stored data, and from which the key of cookies is derived; svc keyshare keygen storage makes one',
  }),
  storage_fallback_keys_dir: text('', {
    placeholder: 'DIR',
    defaultWords: 'none',
    description: 'directory of older such keys, files that end in .key; they only decrypt',
  }),
}

const page = {
  app_link: text('', {
    placeholder: 'URL',
    defaultWords: 'the link of the wallet app of the profile',
    description:
      'start of the link that opens the wallet app with a session, which follows in percent encoding; a web address is offered on a desktop too',
  }),
}

const lifetimes = {
  interaction_lifetime: duration('15m', {
    description: 'how long a user may take for one login, including all its new QR codes',
  }),
  code_lifetime: duration('1m', { description: 'how long a site may take to redeem an authorization code' }),
  access_token_lifetime: duration('10m', {
    description: 'how long a site may ask for the claims at the userinfo endpoint',
  }),
  id_token_lifetime: duration('10m', { description: 'how long an ID token is valid' }),
  login_lifetime: duration('30m', {
    description: 'how long a login is remembered, so that a site can log its user out here too',
  }),
}

const callers = {
  ...trustedProxies,
  logins_per_caller: integer(120, [0, 1_000_000], {
    description:
      'logins a minute that browsers at one address, or in one /64 network of IPv6, may begin; 0: no bound',
  }),
  pushed_per_caller: integer(1_200, [0, 1_000_000], {
    description:
      'pushed authorization requests a minute from one address, such as the server of a site; 0: no bound',
  }),
  logins_per_minute: integer(6_000, [0, 1_000_000], {
    description:
      'logins a minute of all callers of this process, and also pushed authorization requests a minute; 0: no bound',
  }),
}

const listening = {
  url: text('', {
    short: 'u',
    placeholder: 'URL',
    defaultWords: 'http://ADDRESS:PORT of this machine; production: none, must be given',
    description:
      'address at which browsers, sites and wallet apps reach this server; without its last slash it is the issuer; ":port" stands for the port',
  }),
  port: integer(8070, [1, 65_535], { short: 'p', description: 'port to listen on' }),
  ...listenAddress,
}

export const oidcServer = defineSettings({
  name: 'svcoidc',
  command: 'svc oidc',
  members: {},
  foreign: NO_FOREIGN_OPTIONS,
  options: {
    ...below('Mode and protocol', mode),
    ...below('Schemes and keys', schemeFolders),
    ...below('Sign in', signInOptions),
    ...below('Session server', remoteOptions),
    ...below('Sign-in page', page),
    ...below('Keys of this server', keys),
    ...below('Lifetimes', lifetimes),
    ...below('Callers', callers),
    ...below('Store', { ...stores, ...redis, ...sqlite }),
    ...below('Listeners', { ...listening, ...reading }),
    ...below('TLS', { ...tls, ...plainHttp }),
    ...below('Work, and how the server stops', work),
    ...below('Inspector and metrics', { ...inspector, ...metrics }),
    ...below('Log', logging),
  },
})

/** Every option of `svc oidc` with its value, before the parts are made of it. */
export type OidcOptionValues = ReturnType<typeof oidcServer.resolve>['options']
