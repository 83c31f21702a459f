/** Waits for the end of a session: by its event stream, and by asking again and again where that fails. @module */
import { eventsIn } from '../ports/event-stream.ts'
import type { WireStatus } from '../protocol/wire/answers.ts'
import type { Fetch } from './calls.ts'

/** The longest event: a status, or an object that holds little more. */
const MAX_CHARACTERS = 2 ** 16

export type FinalStatus = Extract<WireStatus, 'DONE' | 'CANCELLED' | 'TIMEOUT'>

export type WaitOptions<Told> = {
  /** ends the waiting */
  readonly signal?: AbortSignal
  /** the longest wait; left out: as long as it takes */
  readonly timeoutMs?: number
  /** is told each change */
  readonly onChange?: (told: Told) => void
  /** between two questions where there is no event stream; by default a second */
  readonly pollMs?: number
}

/** The session had not ended in time; it goes on. */
export class WaitTimeout extends Error {
  override readonly name = 'WaitTimeout'
}

/** An event stream, and how what it tells is read. */
export type Source<Told> = {
  readonly fetch: Fetch
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly read: (text: string) => Told
}

type Changed = WireStatus | { readonly status: WireStatus }

/** @param ask what the stream would tell, at this moment */
export async function waitFor<Told extends Changed>(
  source: Source<Told>,
  ask: (signal: AbortSignal) => Promise<Told>,
  { signal, timeoutMs, onChange = () => {}, pollMs = 1_000 }: WaitOptions<Told>,
): Promise<FinalStatus> {
  const ended = new AbortController()
  const late =
    timeoutMs === undefined ? undefined : setTimeout(() => ended.abort(tooLate(timeoutMs)), timeoutMs)
  const abort = (): void => ended.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  try {
    let last = ''
    for await (const told of tellings(source, ask, pollMs, ended.signal)) {
      const text = JSON.stringify(told)
      if (text !== last) onChange(told)
      last = text
      const status = statusOf(told)
      if (isFinal(status)) return status
    }
    throw new TypeError('expected a final status, got the end of what was told')
  } finally {
    clearTimeout(late)
    signal?.removeEventListener('abort', abort)
    ended.abort()
  }
}

function statusOf(told: Changed): WireStatus {
  return typeof told === 'string' ? told : told.status
}

function tooLate(ms: number): WaitTimeout {
  return new WaitTimeout(`expected the end of the session within ${ms} ms, got none`)
}

function isFinal(status: WireStatus): status is FinalStatus {
  return status === 'DONE' || status === 'CANCELLED' || status === 'TIMEOUT'
}

/** The stream is begun before the status is asked for: no change is missed between the two. */
async function* tellings<Told>(
  source: Source<Told>,
  ask: (signal: AbortSignal) => Promise<Told>,
  pollMs: number,
  signal: AbortSignal,
): AsyncGenerator<Told, undefined> {
  const body = await streamOf(source, signal)
  yield await ask(signal)
  if (body !== null) yield* toldBy(body, source.read, signal)
  for (;;) {
    signal.throwIfAborted()
    yield await ask(signal)
    await pause(pollMs, signal)
  }
}

/** @returns null: there is no event stream, for whatever reason */
async function streamOf<Told>(
  { fetch, url, headers }: Source<Told>,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | null> {
  try {
    const response = await fetch(url, { headers: { ...headers, Accept: 'text/event-stream' }, signal })
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
    if (response.ok && isStream) return response.body
    await response.body?.cancel()
    return null
  } catch {
    signal.throwIfAborted()
    return null // asking shows what is wrong
  }
}

/** Ends when the stream breaks: then it is asked for. */
async function* toldBy<Told>(
  body: ReadableStream<Uint8Array>,
  read: (text: string) => Told,
  signal: AbortSignal,
): AsyncGenerator<Told, undefined> {
  try {
    for await (const text of eventsIn(chunksOf(body), MAX_CHARACTERS)) yield read(text)
  } catch {
    signal.throwIfAborted()
  }
}

/** Not every browser lets `for await` read a body. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  const reader = body.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    reader.cancel().catch(() => {}) // it is over already
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop)
  })
}
