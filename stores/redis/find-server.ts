/** Finds the server that holds the data now: the one in the address, or the one that a Sentinel names. Every new connection looks it up again, to
 *  follow a fail-over. @module */
import type { Clock } from '../../ports/clock.ts'
import { StoreError, StoreUnreachableError } from '../store-error.ts'
import type { Credentials, RedisAddress, RedisOptions, ServerLocation } from './address.ts'
import { askOnce, type Target } from './client.ts'
import { failureOf } from './redis-errors.ts'

/** @param credentials of the server; those of Sentinels are in the options
 *  @throws {StoreError} if no Sentinel names a server */
export async function findServer(
  address: RedisAddress,
  credentials: Credentials,
  options: RedisOptions,
  clock: Clock,
): Promise<Target> {
  const { name, place, database, hasTls } = address
  const tls = hasTls ? options.tls : null
  const target = { tls, credentials, database }
  if (place.type === 'socket') return { ...target, to: { path: place.path } }
  if (place.type === 'server') return { ...target, to: place.server }
  return {
    ...target,
    to: await askSentinels(name, place, { tls, credentials: options.sentinelCredentials, clock }),
  }
}

type Sentinels = Extract<ServerLocation, { type: 'sentinels' }>

/** The first answer is used. If Sentinels disagree, the server itself shows if it is the primary. */
async function askSentinels(
  name: string,
  { sentinels, masterName }: Sentinels,
  { clock, ...common }: Pick<Target, 'tls' | 'credentials'> & { readonly clock: Clock },
): Promise<{ host: string; port: number }> {
  let failure: unknown
  for (const to of sentinels) {
    try {
      const command = ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName]
      const answer = await askOnce({ ...common, to, database: 0 }, command, clock)
      if (Array.isArray(answer)) return { host: String(answer[0]), port: Number(answer[1]) }
      failure = new Error(`a Sentinel that knows no ${JSON.stringify(masterName)}`)
    } catch (error) {
      failure = error
    }
  }
  const last = failureOf(name, failure)
  const Failure = last instanceof StoreUnreachableError ? StoreUnreachableError : StoreError
  throw new Failure(`${last.message}; none of the Sentinels named a server`)
}
