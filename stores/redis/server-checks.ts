/** Checks that a store can rely on a Redis server, by the settings that the server reports. @module */

import type { ServerLocation } from './address.ts'
import type { Connection } from './connection.ts'

export type ServerFacts = {
  readonly info: ReadonlyMap<string, string>
  /** null: this user may not read the settings of the server */
  readonly settings: ReadonlyMap<string, string> | null
}

export type ServerRequirements = {
  readonly place: ServerLocation
  readonly replicas: number
  readonly acceptsLoss: boolean
  /** true: only this store knows which credentials are revoked */
  readonly isAuthority: boolean
}

const SETTINGS = ['appendfsync', 'min-replicas-to-write']
const RISK = 'or accept what may be lost ("redis_accept_inconsistency_risk")'

export async function askFacts(connection: Pick<Connection, 'ask'>): Promise<ServerFacts> {
  const info = linesOf(String(await connection.ask(['INFO'])))
  return { info, settings: await askSettings(connection) }
}

async function askSettings(connection: Pick<Connection, 'ask'>): Promise<ServerFacts['settings']> {
  try {
    const answer = await connection.ask(['CONFIG', 'GET', ...SETTINGS])
    return new Map(Object.entries(Object(answer)).map(([name, value]) => [name, String(value)]))
  } catch {
    return null // forbidden by the server or its provider; the settings then count as not set
  }
}

function linesOf(text: string): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/).map(line => line.split(/:(.*)/s))
  return new Map(lines.map(([name = '', value = '']) => [name, value]))
}

/** @returns an error that says expected and got, for an unsuitable server; null: the server is suitable */
export function refusalOf({ info, settings }: ServerFacts, needs: ServerRequirements): string | null {
  const mode = info.get('server_mode') ?? info.get('redis_mode')
  if (mode !== 'standalone')
    return `expected a single server, got the mode ${JSON.stringify(mode)}: clusters are not supported`
  if (info.get('role') !== 'master')
    return 'expected the primary server, got a replica: name the primary server'
  if (isEvicting(info))
    return `expected the setting maxmemory-policy noeviction, got ${JSON.stringify(info.get('maxmemory_policy'))}: sessions would be lost whenever the memory is full`
  if (needs.acceptsLoss) return null
  if (needs.place.type === 'sentinels' && needs.replicas === 0)
    return `expected "redis_wait_replicas" of at least 1 with Sentinels, got 0: a fail-over loses the commits that no replica has; name a number, ${RISK}`
  if (needs.isAuthority && !isDurable(info, settings))
    return `expected the settings appendonly yes and appendfsync always on the server of a revocation authority, got ${durabilityOf(info, settings)}: set them, ${RISK}`
  return null
}

/** @returns for the log, what may be lost and when */
export function* warningsOf({ info, settings }: ServerFacts, needs: ServerRequirements): Generator<string> {
  if (needs.isAuthority && !isDurable(info, settings))
    yield `the server has ${durabilityOf(info, settings)}: a crash may lose revocations, and wallets that have received these can then no longer prove non-revocation at this server`
  else if (info.get('aof_enabled') !== '1')
    yield 'the server has appendonly no: sessions and callbacks that are owed are lost when it ends'
  if (needs.place.type === 'sentinels' && needs.replicas === 0)
    yield 'a fail-over loses the commits that no replica has ("redis_wait_replicas" is 0)'
  if (Number(settings?.get('min-replicas-to-write') ?? 0) < needs.replicas)
    yield `the server has min-replicas-to-write below ${needs.replicas}: it takes commits that too few replicas have, whose outcome then is unknown`
  if (info.get('maxmemory') === '0')
    yield 'the server has no maxmemory: when its machine has no memory left, it is ended'
}

function isEvicting(info: ServerFacts['info']): boolean {
  return info.get('maxmemory') !== '0' && info.get('maxmemory_policy') !== 'noeviction'
}

function isDurable(info: ServerFacts['info'], settings: ServerFacts['settings']): boolean {
  return info.get('aof_enabled') === '1' && settings?.get('appendfsync') === 'always'
}

function durabilityOf(info: ServerFacts['info'], settings: ServerFacts['settings']): string {
  const appendonly = info.get('aof_enabled') === '1' ? 'yes' : 'no'
  return `appendonly ${appendonly} and appendfsync ${settings?.get('appendfsync') ?? 'unknown'}`
}
