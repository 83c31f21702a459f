/** The settings of `svc keyshare` (spec/keyshare-server#16, and our own): this one list drives the flags, the variables, the files, the defaults and the
 *  printed reference. Every option here is used by code. @module */
import { COMMITMENTS_OF } from '../../actors/accounts/answerable.ts'
import { BINDINGS } from '../../actors/accounts/records-of-rows.ts'
import { defineSettings } from './define-settings.ts'
import { FOREIGN_KEYSHARE_OPTIONS } from './foreign-options.ts'
import { accountTimes, mail } from './keyshare-mail.ts'
import { mailWords } from './keyshare-mail-words.ts'
import { below, choice, integer, text } from './kinds.ts'
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
  trustedProxies,
  work,
} from './shared-options.ts'

const accounts = {
  keyshare_attribute: text('', {
    placeholder: 'TYPE',
    defaultWords: 'none, must be given',
    description:
      'attribute that holds the user name, SCHEME.ISSUER.CREDENTIAL.ATTRIBUTE: its credential is issued at registration, with the private key of its issuer',
  }),
  storage_primary_key_file: text('', {
    placeholder: 'FILE',
    defaultWords: 'none, must be given',
    description:
      'file with the key that encrypts the secrets of accounts; svc keyshare keygen storage makes one',
  }),
  storage_fallback_keys_dir: text('', {
    placeholder: 'DIR',
    defaultWords: 'none',
    description: 'directory of older such keys, files that end in .key; they only decrypt',
  }),
  bind_accounts: choice(BINDINGS, {
    description:
      'write binds the secrets of an account to its row; read keeps the form that older servers read; require refuses that form',
  }),
  commitments_of: choice(COMMITMENTS_OF, {
    description:
      'commitments to which this process gives responses; own: only those that it has made since its start',
  }),
}

export const callers = {
  ...trustedProxies,
  registrations_per_caller: integer(60, [0, 1_000_000], {
    description: 'registrations a minute from one address, or from one /64 network of IPv6; 0: no bound',
  }),
  registrations_per_minute: integer(600, [0, 1_000_000], {
    description: 'registrations a minute of all callers of this process; 0: no bound',
  }),
}

const stores = {
  store: text('', {
    placeholder: 'memory|sqlite:FILE|postgres:ADDRESS',
    defaultWords: "sqlite: keyshare.sqlite in the user's data directory",
    description:
      'where accounts are remembered; several servers may share postgres://USER:PASSWORD@HOST/DATABASE',
  }),
  ...storeFile,
}

const signing = {
  jwt_privkey: text('', {
    placeholder: 'PEM',
    isSecret: true,
    defaultWords: 'none, this or its file must be given',
    description: 'RSA private key that signs logins and answers; kss-N.pem of the scheme is its public key',
  }),
  jwt_privkey_file: text('', { placeholder: 'FILE', description: 'file with that key' }),
  jwt_privkey_id: integer(0, [0, 999_999_999], {
    description: 'the number N of that key in the scheme (kid)',
  }),
  jwt_issuer: text('keyshare_server', {
    placeholder: 'NAME',
    description: 'name of this server in the JWTs that it signs (iss)',
  }),
  jwt_pin_expiry: integer(900, [61, 604_800], {
    unit: 'seconds',
    description: 'how long the JWT of a login is valid',
  }),
}

const listening = {
  url: text('', {
    short: 'u',
    placeholder: 'URL',
    defaultWords: 'http://ADDRESS:PORT of this machine; production: none, must be given',
    description:
      'address at which wallet apps reach this server, the same as KeyshareServer in the scheme; ":port" stands for the port',
  }),
  port: integer(8080, [1, 65_535], { short: 'p', description: 'port to listen on' }),
  ...listenAddress,
}

export const keyshareServer = defineSettings({
  name: 'svckeyshare',
  command: 'svc keyshare',
  members: {},
  foreign: FOREIGN_KEYSHARE_OPTIONS,
  options: {
    ...below('Mode and protocol', mode),
    ...below('Schemes and keys', schemeFolders),
    ...below('Store', { ...stores, ...sqlite }),
    ...below('Listeners', { ...listening, ...reading, ...description }),
    ...below('TLS', { ...tls, ...plainHttp }),
    ...below('Accounts', { ...accounts, ...accountTimes }),
    ...below('Callers', callers),
    ...below('Tokens and signatures', signing),
    ...below('Keyshare protocol', keyshareProofs),
    ...below('Mail', { ...mail, ...mailWords }),
    ...below('Work, and how the server stops', work),
    ...below('Inspector and metrics', { ...inspector, ...metrics }),
    ...below('Log', logging),
  },
})

export type KeyshareOptionShape = typeof keyshareServer.options

/** Every option with its value: what `svc keyshare` runs on, before the parts are made of it. */
export type KeyshareOptionValues = ReturnType<typeof keyshareServer.resolve>['options']
