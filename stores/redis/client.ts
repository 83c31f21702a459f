/** A client of one Redis server, for one connection: when that is lost, another client is made. @module */
import { isIP } from 'node:net'
import { createClient } from '@redis/client'
import type { Clock } from '../../ports/clock.ts'
import type { Credentials, RedisTls } from './address.ts'

/** The longest wait for a connection. */
const CONNECT_MS = 3_000

/** What one connection reaches. */
export type Target = {
  readonly to: { readonly host: string; readonly port: number } | { readonly path: string }
  readonly tls: RedisTls | null
  readonly credentials: Credentials
  readonly database: number
}

export type RedisClient = ReturnType<typeof newClient>

/** It connects once: where to, is looked up again after each loss. No command waits for a connection, and none is sent twice: whether a commit whose
 *  connection was lost has been made is for the gate to find out. */
export function newClient({ to, tls, credentials, database }: Target) {
  const { username, password } = credentials
  return createClient({
    RESP: 3, // answers and what others publish come through one connection, in the order of the server
    database,
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    socket: { ...socketOf(to, tls), connectTimeout: CONNECT_MS, reconnectStrategy: false },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandOptions: { timeout: 0 }, // the connection itself has a watch (connection.ts)
  })
}

function socketOf(to: Target['to'], tls: RedisTls | null) {
  if ('path' in to) return { ...to, tls: false as const }
  if (tls === null) return to
  const { ca, certificate: cert, key } = tls
  return {
    ...{ ...to, tls: true as const, servername: isIP(to.host) === 0 ? to.host : '' },
    ...(ca !== null && { ca }),
    ...(cert !== null && { cert }),
    ...(key !== null && { key }),
  }
}

/** What a server that is asked once answers, in bounded time.
 *  @throws {Error} of the driver */
export async function askOnce(target: Target, command: readonly string[], clock: Clock): Promise<unknown> {
  const client = newClient(target)
  client.on('error', () => {}) // what is asked fails, too
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
