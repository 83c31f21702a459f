/** Event streams of other servers: bounded in the length of an event and in the time without any, without redirects and credentials. Nothing that is told
 *  there is trusted. No error says where it came from. @module */
import { type OutgoingDeps, OutgoingFailure } from '../ports/outgoing.ts'
import { addressOf } from '../ports/outgoing-address.ts'
import { Lines } from '../protocol/text-scanning.ts'

/** The data of each event, until the server ends the stream or `stop` does.
 *  @throws {OutgoingFailure} */
export type ListenTo = (url: string, stop: AbortSignal) => AsyncIterable<string>

const STREAM_TYPE = 'text/event-stream'
const HEAD_MS = 4_000
/** an accumulator is told every minute */
const SILENCE_MS = 3 * 60_000
const MAX_CHARACTERS = 2 ** 20

export function createEventSource({ fetch, clock }: OutgoingDeps): ListenTo {
  return async function* events(url, stop) {
    if (addressOf(url) === null)
      throw new OutgoingFailure('expected an http or https URL without a user name, got something else')
    if (stop.aborted) return
    const abort = new AbortController()
    const end = (): void => abort.abort()
    let timer = clock.setTimeout(end, HEAD_MS)
    const waitFor = (ms: number): void => {
      clock.clearTimeout(timer)
      timer = clock.setTimeout(end, ms)
    }
    stop.addEventListener('abort', end)
    try {
      const headers = { Accept: STREAM_TYPE }
      const init = { headers, redirect: 'manual', signal: abort.signal } as const
      const response = await fetch(url, init)
      const isStream = response.headers.get('content-type')?.startsWith(STREAM_TYPE)
      if (response.status !== 200 || !isStream || response.body === null)
        throw new OutgoingFailure(`expected an event stream, got status ${response.status}`)
      yield* dataIn(response.body, () => waitFor(SILENCE_MS))
    } catch (error) {
      if (stop.aborted) return
      if (error instanceof OutgoingFailure) throw error
      throw new OutgoingFailure('expected an event stream that goes on, got none') // whatever fetch says may quote the address
    } finally {
      clock.clearTimeout(timer)
      stop.removeEventListener('abort', end)
      end()
    }
  }
}

/** @param heard is told of every chunk */
async function* dataIn(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<string> {
  const lines = new Lines()
  let data: string[] = []
  let dataLength = 0
  heard()
  for await (const chunk of body) {
    heard()
    for (const line of lines.endingIn(chunk)) {
      if (line.startsWith('data:')) {
        data.push(line.slice('data:'.length).replace(/^ /, ''))
        dataLength += line.length
      }
      if (line !== '') continue
      if (data.length > 0) yield data.join('\n')
      data = []
      dataLength = 0
    }
    if (lines.begunLength + dataLength > MAX_CHARACTERS)
      throw new OutgoingFailure(`expected an event of at most ${MAX_CHARACTERS} characters, got more`)
  }
}
