/** Event streams of other servers: bounded in the time until one begins, in the length of an event and in the time without any. @module */
import { EventTooLong, eventsIn } from './event-stream.ts'
import { fetchWithin } from './fetch.ts'
import { type Limit, timeLimit } from './limit.ts'
import { checkAddress, type OutgoingDeps, OutgoingFailure } from './outgoing.ts'

export const STREAM_TYPE = 'text/event-stream'

export type StreamLimits = {
  /** the longest time until the server has answered */
  readonly headMs: number
  /** the longest time in which nothing comes; null: any */
  readonly silenceMs: number | null
  /** the longest event */
  readonly maxCharacters: number
}

/** The answer of a server that was asked for a stream. Disposing of it ends the connection. */
export type OpenedStream = Disposable & {
  readonly status: number
  readonly contentType: string | null
  /** the data of each event, until the server ends the stream; fails when the connection breaks, and at a limit */
  readonly events: AsyncIterable<string>
}

/** Resolves with the head of the answer: whoever asks the server for something else from then on misses no event.
 *  @param stop ends the stream
 *  @throws what `fetch` throws, which may quote the address */
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

/** Whatever comes, be it a comment, breaks the silence. */
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

/** The data of each event of a server that a scheme or a setting names, until the server ends the stream or `stop` does. Nothing that it says is
 *  trusted, it gets no credentials, and no error says where it is.
 *  @throws {OutgoingFailure} */
export type ListenTo = (url: string, stop: AbortSignal) => AsyncIterable<string>

/** Three times as long as the servers that are followed are silent. */
const FOLLOWED: StreamLimits = { headMs: 4_000, silenceMs: 3 * 60_000, maxCharacters: 2 ** 20 }

export function createEventSource(deps: OutgoingDeps): ListenTo {
  return async function* events(url, stop) {
    checkAddress(url)
    try {
      using stream = await openEventStream(deps, url, FOLLOWED, { stop })
      if (stream.status !== 200 || !stream.contentType?.startsWith(STREAM_TYPE))
        throw new OutgoingFailure(`expected an event stream, got status ${stream.status}`)
      yield* stream.events
    } catch (error) {
      if (stop.aborted) return
      if (error instanceof OutgoingFailure) throw error
      if (error instanceof EventTooLong) throw new OutgoingFailure(error.message)
      throw new OutgoingFailure('expected an event stream that goes on, got none') // whatever fetch says may quote the address
    }
  }
}
