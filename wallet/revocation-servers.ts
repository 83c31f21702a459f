/** What a wallet asks the revocation servers that a scheme names (cryptography 14.7): the latest update of a key, and intervals of its events, always
 *  the same ones, so that caches can answer and nobody learns how far a wallet is behind. Nothing that comes is trusted here. @module */
import type { RevocationEvent, RevocationUpdate } from '../crypto/revocation/accumulator.ts'
import { RevocationDataError } from '../crypto/revocation/error.ts'
import { fetchWithin, readBounded } from '../ports/fetch.ts'
import { timeLimit } from '../ports/limit.ts'
import { decodeEvents, decodeUpdate } from '../protocol/revocation-cbor.ts'
import { eventsUrl, type Interval, intervalsOver, updateUrl } from '../protocol/revocation-urls.ts'
import type { CredentialType } from '../schemes/types.ts'
import { Cancelled, SessionFailure } from './failure.ts'
import type { NamedServerDeps } from './named-servers.ts'
import type { MissingEvents } from './witnesses.ts'

/** The longest time for one call, and for all calls of one session. */
const CALL_LIMIT_MS = 10_000
const LIMIT_MS = 20_000
/** The longest answer that is read; 512 events take a quarter of it. */
const MAX_ANSWER_BYTES = 1 << 16

/** For one session, or one round of updates.
 *  Both throw {SessionFailure} `transport` or `insecure` if no server of the type answers as it should, {Cancelled}. */
export type RevocationServers = Disposable & {
  latest(type: CredentialType, keyCounter: number): Promise<RevocationUpdate>
  readonly events: MissingEvents
}

export function revocationServers(deps: NamedServerDeps): RevocationServers {
  const limit = timeLimit(deps.clock, LIMIT_MS, deps.signal)
  const limited = { ...deps, signal: limit.signal, user: deps.signal }
  return {
    latest: (type, keyCounter) =>
      ask(
        limited,
        type,
        server => updateUrl(server, type.id, type.revocationUpdateCount, keyCounter),
        decodeUpdate,
      ),
    async events(type, keyCounter, from, to) {
      const intervals: (readonly RevocationEvent[])[] = []
      for (const interval of intervalsOver({ min: from, max: to + 1 })) {
        const address = (server: string) => eventsUrl(server, type.id, { keyCounter, ...interval })
        intervals.push(await ask(limited, type, address, bytes => decodeInterval(bytes, interval)))
      }
      return intervals.flat().filter(({ index }) => index >= from && index <= to)
    },
    [Symbol.dispose]: () => limit[Symbol.dispose](),
  }
}

/** @throws {RevocationDataError} */
function decodeInterval(bytes: Uint8Array, { min, max }: Interval): readonly RevocationEvent[] {
  const events = decodeEvents(bytes)
  const [first, last] = [events[0]?.index ?? min, events.at(-1)?.index ?? min]
  if (first < min || last >= max)
    throw new RevocationDataError(`events: expected some from ${min} to ${max - 1}, got ${first} to ${last}`)
  return events
}

type Limited = NamedServerDeps & { readonly user: AbortSignal | undefined }

/** In the order of the scheme, until one answers.
 *  @throws {SessionFailure} {Cancelled} */
async function ask<Value>(
  deps: Limited,
  { id, revocationServers: servers }: CredentialType,
  addressAt: (server: string) => string,
  decode: (bytes: Uint8Array) => Value,
): Promise<Value> {
  const safe = servers.filter(server => deps.developerMode || /^https:/i.test(server))
  for (const server of safe) {
    const answer = await get(deps, addressAt(server), decode)
    if (answer !== null) return answer
    if (deps.user?.aborted) throw new Cancelled()
  }
  if (safe.length < servers.length)
    throw new SessionFailure('insecure', `${id}: a revocation server with plain HTTP needs developer mode`)
  throw new SessionFailure('transport', `${id}: no answer from a revocation server`)
}

/** @returns null if there is no answer, or it is no right one */
async function get<Value>(
  { fetch, clock, signal }: Limited,
  address: string,
  decode: (bytes: Uint8Array) => Value,
): Promise<Value | null> {
  using limit = timeLimit(clock, CALL_LIMIT_MS, signal)
  let bytes: Uint8Array
  try {
    const response = await fetchWithin(limit, fetch, address)
    bytes = await readBounded(response, MAX_ANSWER_BYTES)
    if (response.status !== 200) return null
  } catch {
    return null // a connection that broke, or too much, or too late
  }
  try {
    return decode(bytes)
  } catch (error) {
    if (error instanceof RevocationDataError) return null
    throw error
  }
}
