/** Calls of a wallet to the revocation servers of a scheme (spec/cryptography#14.7): the latest update of a key, and intervals of its events. All wallets use the same
 *  intervals: caches can answer, and no server learns how far a wallet is behind. The answers are not verified here. @module */
import type { RevocationEvent, RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { RevocationDataError } from '../../crypto/revocation/error.ts'
import { fetchWithin, readBounded } from '../../ports/fetch.ts'
import { timeLimit } from '../../ports/limit.ts'
import { decodeEvents, decodeUpdate } from '../../protocol/revocation-cbor.ts'
import { eventsUrl, type Interval, intervalsOver, updateUrl } from '../../protocol/revocation-urls.ts'
import type { CredentialType } from '../../schemes/types.ts'
import { CancelledError, SessionError } from './failure.ts'
import type { NamedServerDeps } from './named-servers.ts'
import type { MissingEvents } from './witnesses.ts'

/** Time limits of one call, and of all calls of one session. */
const CALL_LIMIT_MS = 10_000
const LIMIT_MS = 20_000
/** Maximum size of an answer; 512 events take a quarter of it. */
const MAX_ANSWER_BYTES = 1 << 16

/** Used for one session, or one round of updates. Both methods throw {SessionError} `transport` or `insecure` if no server of the type returns a valid answer,
 *  and {CancelledError}. */
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

/** Asks the servers in the order of the scheme, until one returns a valid answer.
 *  @throws {SessionError} {CancelledError} */
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
    if (deps.user?.aborted) throw new CancelledError()
  }
  if (safe.length < servers.length)
    throw new SessionError('insecure', `${id}: a revocation server with plain HTTP needs developer mode`)
  throw new SessionError('transport', `${id}: expected an answer from a revocation server, got none`)
}

/** @returns null if there is no answer, or an invalid one */
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
    return null // the connection broke, the answer is too long, or the time limit passed
  }
  try {
    return decode(bytes)
  } catch (error) {
    if (error instanceof RevocationDataError) return null
    throw error
  }
}
