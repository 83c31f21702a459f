/** Where a Redis or Valkey server is, and how a node is let in: the address that the option `store` names, and what the options `redis_...` add to it. @module */

export type HostAndPort = { readonly host: string; readonly port: number }

/** PEM; null: none, or the authorities that the system trusts. */
export type RedisTls = {
  readonly ca: string | null
  readonly certificate: string | null
  readonly key: string | null
}

/** Who asks; both are empty where nobody is asked for a name. */
export type Credentials = { readonly username: string; readonly password: string }

/** What the options say besides the address. */
export type RedisOptions = {
  /** those of the address go before */
  readonly credentials: Credentials
  readonly sentinelCredentials: Credentials
  readonly tls: RedisTls
  /** every key begins with the name of the user, as rules of the server for this user may ask for */
  readonly hasKeyPrefix: boolean
  /** the replicas that must have a commit before anybody hears of it */
  readonly replicas: number
  /** what a fail-over or a power cut may lose is accepted */
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

/** What serves the data: one server, or the one that Sentinels name. */
export type Place =
  | { readonly type: 'server'; readonly server: HostAndPort }
  | { readonly type: 'socket'; readonly path: string }
  | { readonly type: 'sentinels'; readonly sentinels: readonly HostAndPort[]; readonly masterName: string }

export type RedisAddress = {
  /** as a log may show it */
  readonly name: string
  readonly place: Place
  readonly credentials: Credentials
  readonly database: number
  readonly hasTls: boolean
}

const ADDRESS =
  /^(?<scheme>rediss?)(?<sentinels>\+sentinel)?:\/\/(?:(?<user>(?:(?!\?socket=)[^@])*)@)?(?<hosts>[^@/?#]*)(?<path>\/[^?#]*)?(?:\?socket=(?<socket>[^?#&]+))?$/
const PORT = 6_379
const SENTINEL_PORT = 26_379

/** Whether that means to be the address of a Redis server. */
export function isRedis(name: string): boolean {
  return /^rediss?(?:\+sentinel)?:\/\//.test(name)
}

/** What an address may be, in words. */
export const REDIS_FORMS =
  '"redis://HOST:PORT/DATABASE", "rediss://..." or "redis+sentinel://HOST:PORT,HOST:PORT/NAME/DATABASE"'

/** @returns null: it is none of the forms */
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
    return text // a sign of percent that stands for itself
  }
}

/** One word alone is the name of a user; behind a colon it is the password of the user that has no name. */
function credentialsOf(user: string): Credentials {
  const [name = '', password = ''] = user.split(/:(.*)/s).map(decoded)
  return { username: name, password }
}

/** Who asks: whom the address names, or else the options.
 *  @throws {Error} for a name without a password, which a server is never given */
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

function serverOf(hosts: string, socket: string): Place | null {
  // another host would be a part of something else, as of a password without its "@"
  if (socket !== '') return hosts === '' || hosts === 'localhost' ? { type: 'socket', path: socket } : null
  const server = hostAndPort(hosts, PORT)
  return server && { type: 'server', server }
}

function sentinelsOf(hosts: string, masterName: string): Place | null {
  const sentinels = hosts.split(',').map(each => hostAndPort(each, SENTINEL_PORT))
  const known = sentinels.filter(each => each !== null)
  if (masterName === '' || known.length < sentinels.length) return null
  return { type: 'sentinels', sentinels: known, masterName }
}

/** @param text a name, an address of IPv4, or one of IPv6 in brackets; with a port or without */
export function hostAndPort(text: string, normally: number): HostAndPort | null {
  const { bare, inBrackets, port } =
    /^(?:(?<bare>[^\s:[\]]+)|\[(?<inBrackets>[\da-f:.]+)\])(?::(?<port>\d+))?$/i.exec(text)?.groups ?? {}
  const host = bare ?? inBrackets
  if (host === undefined || Number(port ?? normally) > 65_535) return null
  return { host, port: Number(port ?? normally) }
}
