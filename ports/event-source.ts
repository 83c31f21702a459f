/** Event streams of other servers. Limits apply to the time until the answer, the length of an event, and the silence between data. @module */
import { EventTooLongError, eventsIn } from './event-stream.ts'
import { fetchWithin } from './fetch.ts'
import { type Limit, timeLimit } from './limit.ts'
import { checkAddress, type OutgoingDeps, OutgoingError } from './outgoing.ts'

export const STREAM_TYPE = 'text/event-stream'

export type StreamLimits = {
  /** maximum time until the server has answered */
  readonly headMs: number
  /** maximum time without data; null: no limit */
  readonly silenceMs: number | null
  /** maximum length of an event */
  readonly maxCharacters: number
}

/** The answer of a server that was asked for a stream. Disposing it closes the connection. */
export type OpenedStream = Disposable & {
  readonly status: number
  readonly contentType: string | null
  /** the data of each event until the server ends the stream; throws if the connection breaks or a limit is reached */
  readonly events: AsyncIterable<string>
}

/** Resolves when the head of the answer has arrived. A caller that then makes another request to the server misses no event.
 *  @param stop ends the stream
 *  @throws errors of `fetch`, which may quote the address */
export async function openEventStream(
  { fetch, clock }: OutgoingDeps,
  url: string,
  limits: StreamLimits,
  {
    headers,
    stop,
  }: { readonly headers?: Readonly<Record<string, string>>; readonly stop?: AbortSignal } = {},
): Promise<OpenedStream> {
  const limit = timeLimit(clock, limits.headMs, stop)
  try {
    const init = { headers: { ...headers, Accept: STREAM_TYPE } }
    const response = await fetchWithin(limit, fetch, url, init)
    limit.restart(limits.silenceMs)
    return {
      status: response.status,
      contentType: response.headers.get('content-type'),
      events: eventsIn(heard(response, limit, limits.silenceMs), limits.maxCharacters),
      [Symbol.dispose]: () => limit[Symbol.dispose](),
    }
  } catch (error) {
    limit[Symbol.dispose]()
    throw error
  }
}

/** All data restarts the limit, even a comment. */
async function* heard(
  { body }: Response,
  limit: Limit,
  silenceMs: number | null,
): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of body ?? []) {
    limit.restart(silenceMs)
    yield chunk
  }
}

/** The data of each event of a server that a scheme or a setting names, until the server or `stop` ends the stream. The server is not trusted and
 *  gets no credentials. No error contains its address.
 *  @throws {OutgoingError} */
export type ListenTo = (url: string, stop: AbortSignal) => AsyncIterable<string>

/** `silenceMs` is three times the longest silence of the followed servers. */
const FOLLOWED: StreamLimits = { headMs: 4_000, silenceMs: 3 * 60_000, maxCharacters: 2 ** 20 }

export function createEventSource(deps: OutgoingDeps): ListenTo {
  return async function* events(url, stop) {
    checkAddress(url)
    try {
      using stream = await openEventStream(deps, url, FOLLOWED, { stop })
      if (stream.status !== 200 || !stream.contentType?.startsWith(STREAM_TYPE))
        throw new OutgoingError(`expected an event stream, got status ${stream.status}`)
      yield* stream.events
    } catch (error) {
      if (stop.aborted) return
      if (error instanceof OutgoingError) throw error
      if (error instanceof EventTooLongError) throw new OutgoingError(error.message)
      throw new OutgoingError('expected an open event stream, got a broken connection') // errors of fetch may quote the address
    }
  }
}
