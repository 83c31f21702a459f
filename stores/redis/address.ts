/** Addresses of Redis and Valkey servers: the option `store` with its credentials, and the options `redis_...` that complete it. @module */

export type HostAndPort = { readonly host: string; readonly port: number }

/** PEM; null: none, or the certificate authorities of the system. */
export type RedisTls = {
  readonly ca: string | null
  readonly certificate: string | null
  readonly key: string | null
}

/** Both are empty if the server requires no credentials. */
export type Credentials = { readonly username: string; readonly password: string }

/** The options beside the address. */
export type RedisOptions = {
  /** credentials in the address have precedence */
  readonly credentials: Credentials
  readonly sentinelCredentials: Credentials
  readonly tls: RedisTls
  /** true: every key begins with the user name, as access rules of the server may require */
  readonly hasKeyPrefix: boolean
  /** number of replicas that must have a commit before its effects are visible */
  readonly replicas: number
  /** true: the operator accepts that a fail-over or a power cut loses commits */
  readonly acceptsLoss: boolean
}

export const NO_REDIS_OPTIONS: RedisOptions = {
  credentials: { username: '', password: '' },
  sentinelCredentials: { username: '', password: '' },
  tls: { ca: null, certificate: null, key: null },
  hasKeyPrefix: false,
  replicas: 0,
  acceptsLoss: false,
}

/** The server of the data: a fixed one, or the one that Sentinels name. */
export type ServerLocation =
  | { readonly type: 'server'; readonly server: HostAndPort }
  | { readonly type: 'socket'; readonly path: string }
  | { readonly type: 'sentinels'; readonly sentinels: readonly HostAndPort[]; readonly masterName: string }

export type RedisAddress = {
  /** as a log may show it */
  readonly name: string
  readonly place: ServerLocation
  readonly credentials: Credentials
  readonly database: number
  readonly hasTls: boolean
}

const ADDRESS =
  /^(?<scheme>rediss?)(?<sentinels>\+sentinel)?:\/\/(?:(?<user>(?:(?!\?socket=)[^@])*)@)?(?<hosts>[^@/?#]*)(?<path>\/[^?#]*)?(?:\?socket=(?<socket>[^?#&]+))?$/
const PORT = 6_379
const SENTINEL_PORT = 26_379

/** True if the name is meant as the address of a Redis server. */
export function isRedis(name: string): boolean {
  return /^rediss?(?:\+sentinel)?:\/\//.test(name)
}

/** The forms of an address, for messages. */
export const REDIS_FORMS =
  '"redis://HOST:PORT/DATABASE", "rediss://..." or "redis+sentinel://HOST:PORT,HOST:PORT/NAME/DATABASE"'

/** @returns null: the text has none of the forms */
export function parseRedisAddress(text: string): RedisAddress | null {
  const { scheme, sentinels, user, hosts = '', path = '', socket } = ADDRESS.exec(text)?.groups ?? {}
  const [first = '', second = '', ...others] = path.split('/').slice(1).map(decoded)
  const hasSentinels = sentinels !== undefined
  const database = databaseOf(hasSentinels ? second : first)
  const place = hasSentinels ? sentinelsOf(hosts, first) : serverOf(hosts, decoded(socket ?? ''))
  if (place === null || database === null) return null
  if (others.length > 0 || (!hasSentinels && second !== '') || (hasSentinels && socket !== undefined))
    return null
  const shown = `${scheme}${sentinels ?? ''}://${hosts}${path}`
  const credentials = credentialsOf(user ?? '')
  return { name: JSON.stringify(shown), place, credentials, database, hasTls: scheme === 'rediss' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // the percent sign is literal
  }
}

/** A single word is the user name. After a colon comes the password; without a user name it is the one of the default user. */
function credentialsOf(user: string): Credentials {
  const [name = '', password = ''] = user.split(/:(.*)/s).map(decoded)
  return { username: name, password }
}

/** The credentials of the address, or else those of the options.
 *  @throws {Error} for a user name without a password */
export function whoAsks({ name, credentials }: RedisAddress, options: RedisOptions): Credentials {
  const asks = credentials.username === '' && credentials.password === '' ? options.credentials : credentials
  if (asks.username !== '' && asks.password === '')
    throw new Error(
      `store ${name}: expected the password beside the name of the user, both in "store" or both in "redis_username" and "redis_pw", got the name alone`,
    )
  if (options.hasKeyPrefix && asks.username === '')
    throw new Error(
      `store ${name}: expected the name of a user, because of "redis_acl_use_key_prefixes", got none`,
    )
  return asks
}

function databaseOf(text: string): number | null {
  if (text === '') return 0
  return /^\d{1,4}$/.test(text) ? Number(text) : null
}

function serverOf(hosts: string, socket: string): ServerLocation | null {
  // any other host would be part of something else, such as of a password without its "@"
  if (socket !== '') return hosts === '' || hosts === 'localhost' ? { type: 'socket', path: socket } : null
  const server = hostAndPort(hosts, PORT)
  return server && { type: 'server', server }
}

function sentinelsOf(hosts: string, masterName: string): ServerLocation | null {
  const sentinels = hosts.split(',').map(each => hostAndPort(each, SENTINEL_PORT))
  const known = sentinels.filter(each => each !== null)
  if (masterName === '' || known.length < sentinels.length) return null
  return { type: 'sentinels', sentinels: known, masterName }
}

/** @param text a name, an IPv4 address, or an IPv6 address in brackets; with or without a port */
export function hostAndPort(text: string, normally: number): HostAndPort | null {
  const { bare, inBrackets, port } =
    /^(?:(?<bare>[^\s:[\]]+)|\[(?<inBrackets>[\da-f:.]+)\])(?::(?<port>\d+))?$/i.exec(text)?.groups ?? {}
  const host = bare ?? inBrackets
  if (host === undefined || Number(port ?? normally) > 65_535) return null
  return { host, port: Number(port ?? normally) }
}
