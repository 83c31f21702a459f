/** Waits for the end of a session by its event stream. Polls if the stream fails. @module */
import { eventsIn } from '../../ports/event-stream.ts'
import type { Fetch } from './calls.ts'
import type { SessionStatus } from './results.ts'

/** Maximum size of an event: a status, or a small object. */
const MAX_CHARACTERS = 2 ** 16

export type FinalStatus = Extract<SessionStatus, 'DONE' | 'CANCELLED' | 'TIMEOUT'>

export type WaitOptions<Told> = {
  /** aborts the wait */
  readonly signal?: AbortSignal
  /** maximum wait; left out: no limit */
  readonly timeoutMs?: number
  /** called at each change */
  readonly onChange?: (told: Told) => void
  /** interval of polling, used if there is no event stream; 1 second by default */
  readonly pollMs?: number
}

/** The session did not end in time. It continues. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError'
}

/** An event stream, and how its events are parsed. */
export type Source<Told> = {
  readonly fetch: Fetch
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly read: (text: string) => Told
}

type Changed = SessionStatus | { readonly status: SessionStatus }

/** @param ask requests the current status */
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
    throw new TypeError(
      'expected a final status, got an end of the updates without one: ask for the status again',
    )
  } finally {
    clearTimeout(late)
    signal?.removeEventListener('abort', abort)
    ended.abort()
  }
}

function statusOf(told: Changed): SessionStatus {
  return typeof told === 'string' ? told : told.status
}

function tooLate(ms: number): WaitTimeoutError {
  return new WaitTimeoutError(`expected the end of the session within ${ms} ms, got none`)
}

function isFinal(status: SessionStatus): status is FinalStatus {
  return status === 'DONE' || status === 'CANCELLED' || status === 'TIMEOUT'
}

/** Opens the stream before it requests the status. A change between the two is then not missed. */
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

/** @returns null if no event stream could be opened */
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
    return null // the request for the status that follows reports the cause
  }
}

/** Ends when the stream breaks. The caller then polls. */
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

/** Reads the chunks of a body. Some browsers do not support `for await` on it. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  const reader = body.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    reader.cancel().catch(() => {}) // the stream already ended or failed
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
