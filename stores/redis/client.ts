/** A client for one connection to a Redis server. After a loss of the connection a new client is made. @module */
import { isIP } from 'node:net'
import { createClient } from '@redis/client'
import type { Clock } from '../../ports/clock.ts'
import type { Credentials, RedisTls } from './address.ts'

/** The maximum time to connect. */
const CONNECT_MS = 3_000

/** The endpoint of one connection. */
export type Target = {
  readonly to: { readonly host: string; readonly port: number } | { readonly path: string }
  readonly tls: RedisTls | null
  readonly credentials: Credentials
  readonly database: number
}

export type RedisClient = ReturnType<typeof newClient>

/** The client connects once; after each loss the address is looked up again. A command never waits for a connection and is never sent twice. If the
 *  connection is lost during a commit, the gate finds out the outcome. */
export function newClient({ to, tls, credentials, database }: Target) {
  const { username, password } = credentials
  return createClient({
    RESP: 3, // answers and published messages share one connection, in the order of the server
    database,
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    socket: { ...socketOf(to, tls), connectTimeout: CONNECT_MS, reconnectStrategy: false },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandOptions: { timeout: 0 }, // connection.ts has its own time limit
  })
}

function socketOf(to: Target['to'], tls: RedisTls | null) {
  if ('path' in to) return { ...to, tls: false as const }
  if (tls === null) return to
  const { ca, certificate: cert, key } = tls
  return {
    ...to,
    tls: true as const,
    servername: isIP(to.host) === 0 ? to.host : '',
    ...(ca !== null && { ca }),
    ...(cert !== null && { cert }),
    ...(key !== null && { key }),
  }
}

/** Sends one command to a server, and returns its answer within a time limit.
 *  @throws {Error} of the driver */
export async function askOnce(target: Target, command: readonly string[], clock: Clock): Promise<unknown> {
  const client = newClient(target)
  client.on('error', () => {}) // the pending call fails with the same error
  let isLate = false
  const late = clock.setTimeout(() => {
    isLate = true
    client.destroy()
  }, CONNECT_MS)
  try {
    await client.connect()
    return await client.sendCommand(command)
  } catch (error) {
    throw isLate ? new Error(`no answer within ${CONNECT_MS / 1_000} s`) : error
  } finally {
    clock.clearTimeout(late)
    client.destroy()
  }
}
