/** Options that every kind of server has, each with the same name, words and default. @module */
import { USUAL_PRIMES } from '../../actors/workers/primes.ts'
import { HEAD_BYTES } from '../../http/limits.ts'
import { KEYSHARE_V1 } from '../../sessions/first-version.ts'
import { SYNCHRONOUS } from '../../stores/store-options.ts'
import { address, choice, count, delay, duration, integer, list, text, toggle } from './kinds.ts'
import { SHORT_CHECKS } from './short-checks.ts'

export const mode = {
  production: toggle(false, {
    description:
      'production mode: the defaults are safe, unsafe settings are refused, and requests do not name the developer mode',
  }),
  profile: choice(['svc', 'irma'], { description: 'names and rules on the wire' }),
}

export const description = {
  openapi: toggle(true, {
    production: false,
    description:
      'describe every endpoint at /openapi.json (OpenAPI 3.1), and for people at /openapi, below api_prefix',
  }),
}

export const listenAddress = {
  listen_addr: address('', {
    short: 'l',
    defaultWords: 'all addresses',
    description: 'address to listen on',
  }),
}

export const reading = {
  max_header_size: integer(HEAD_BYTES / 2 ** 10, [8, 1_024], {
    unit: 'KiB',
    description:
      'longest head of a request, its address and all headers together; a longer one is answered 431',
  }),
}

export const tls = {
  tls_cert: text('', { placeholder: 'PEM', description: 'TLS certificate chain' }),
  tls_cert_file: text('', { placeholder: 'FILE', description: 'file with the TLS certificate chain' }),
  tls_privkey: text('', { placeholder: 'PEM', isSecret: true, description: 'TLS private key' }),
  tls_privkey_file: text('', { placeholder: 'FILE', description: 'file with the TLS private key' }),
}

export const plainHttp = {
  no_tls: toggle(false, { description: 'allow an address in "url" that is not https in production' }),
}

export const schemeFolders = {
  schemes_path: text('', {
    short: 's',
    placeholder: 'DIR',
    defaultWords: "svc_configuration in the user's data directory",
    description: 'directory of the schemes',
  }),
  schemes_assets_path: text('', {
    placeholder: 'DIR',
    defaultWords: 'none',
    description:
      'directory with a stock of schemes, for images without a network: at the start, each of its schemes that is missing or older in schemes_path is copied there; private keys in schemes_path are kept',
  }),
  privkeys: text('', {
    short: 'k',
    placeholder: 'DIR',
    defaultWords: 'none',
    description:
      'directory of further issuer private keys, each a file SCHEME.ISSUER.COUNTER.xml; other files are ignored',
  }),
  schemes_update: integer(60, [0, 10_080], {
    unit: 'minutes',
    description: 'how often the servers of the schemes are asked for newer versions; 0 means never',
  }),
}

export const keyshareProofs = {
  keyshare_v1: choice(KEYSHARE_V1, {
    description:
      'how to treat the first version of the keyshare protocol, in which an app can remove the keyshare server from a credential while it is issued: warn accepts it and logs one line per issuer and day; refuse accepts only the second version, which existing apps do not support',
  }),
}

export const storeFile = {
  store_file: text('', {
    placeholder: 'FILE',
    description: 'file with the address of the store, in place of "store": an address may hold a password',
  }),
}

export const sqlite = {
  sqlite_synchronous: choice(SYNCHRONOUS, {
    description:
      'what commits to an SQLite store survive: with normal, the end of the process; with full, also a power cut, because the disk is synced for every group of commits',
  }),
}

export const work = {
  arithmetic: choice(['auto', 'openssl', 'bigint'], {
    description: 'arithmetic of proof checks; auto uses openssl if its self-test passes',
  }),
  stop_timeout: duration('20s', {
    description:
      'longest time that submissions and calls in progress may take after the server is told to stop',
  }),
  stop_delay: delay('0s', {
    description:
      'how long the server still accepts calls after it is told to stop, while /health/ready answers 503; with a load balancer, set it longer than the load balancer takes to notice that answer',
  }),
  stop_idle: delay('200ms', {
    description:
      'how long idle connections stay open after the server stops accepting new ones, so that a call on its way is still answered; set it longer than a call takes to arrive',
  }),
  workers: integer(0, [0, 256], {
    defaultWords: '0: one per core',
    description: 'threads that check proofs',
  }),
  short_checks: choice(SHORT_CHECKS, {
    description:
      'where the proof checks and signatures of one message are done if they take less than 5 ms: threads means in a worker thread; here means in the main thread, between two calls, which takes less CPU on one core; auto means here if the process has one core, else threads',
  }),
  max_queue_time: duration('5s', {
    description:
      'longest estimated time for the work in the queue; above it, no session is started or connected (503), unless the work of its requestor is less than an equal share of this time; submissions of connected sessions are always queued',
  }),
  spare_primes: integer(USUAL_PRIMES, [0, 10_000], {
    description:
      'how many primes for signatures are kept ready for each key length, from its first signature on; set it to the number of credentials that are issued in a burst; idle worker threads find the primes, in some milliseconds each',
  }),
}

export const inspector = {
  inspect: toggle(false, {
    description:
      'let maintainers watch the charts in a browser on this machine; the address, with a token that opens it, is printed at the start',
  }),
  inspect_port: integer(0, [0, 65_535], {
    defaultWords: '0: any free one',
    description: 'port of the inspector',
  }),
  inspect_listen_addr: address('127.0.0.1', {
    description: 'loopback address of the inspector',
  }),
}

export const metrics = {
  metrics_port: integer(0, [0, 65_535], {
    defaultWords: '0: none',
    description: 'port of a separate listener that answers Prometheus at /metrics',
  }),
  metrics_listen_addr: address('127.0.0.1', {
    description: 'address of that listener; no login protects the figures, and they hold no secret',
  }),
}

export const logging = {
  verbose: count(2, {
    short: 'v',
    description:
      'level of the log: 1 is debug, 2 is trace; from 1 on, error answers contain a stack trace; the flag can be repeated',
  }),
  quiet: toggle(false, { short: 'q', description: 'no logging' }),
  log_json: toggle(false, { description: 'log lines as JSON' }),
}

export const trustedProxies = {
  trusted_proxies: list(['127.0.0.0/8', '::1'], {
    placeholder: 'NETWORK,...',
    description:
      'networks of the proxies in front of this server, such as 10.1.0.0/16: their header X-Forwarded-For gives the address of a caller',
  }),
}
