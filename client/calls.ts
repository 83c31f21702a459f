/** One call of a server with its repeats, and what it refuses. @module */
import { type Clock, createSystemClock, pause } from '../ports/clock.ts'
import { timeLimit } from '../ports/limit.ts'
import { repeatPauseMs } from '../ports/not-now.ts'
import type { RemoteErrorObject } from '../protocol/errors.ts'

export type Fetch = typeof globalThis.fetch

export type Sent = {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** ends the call, and its repeats */
  readonly signal?: AbortSignal | undefined
}

/** @returns the text of the answer */
export type Ask = (method: 'GET' | 'POST' | 'DELETE', url: string, sent?: Sent) => Promise<string>

/** The longest time of one attempt. */
const CALL_LIMIT_MS = 20_000
/** The longest time of a call with its repeats. */
const REPEATS_LIMIT_MS = 30_000
/** The pauses after connections that broke, or gave no answer. */
const BREAK_PAUSES_MS: readonly number[] = [150, 150]

/** What the server says instead of what was asked for. */
export class ServerRefusal extends Error {
  override readonly name = 'ServerRefusal'
  /** HTTP status */
  readonly status: number
  /** the type of the error, such as `UNAUTHORIZED`; empty: the answer was not one of a session server */
  readonly type: string
  /** an earlier attempt of this call may have been done: its answer was lost, or was 502, 503 or 504 */
  readonly isRepeat: boolean

  constructor(status: number, error: Partial<RemoteErrorObject>, isRepeat = false) {
    super(
      error.message ?? error.description ?? `expected an answer of a session server, got status ${status}`,
    )
    this.status = status
    this.type = error.error ?? ''
    this.isRepeat = isRepeat
  }
}

type Clocked = Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>

/** A call that breaks, or gets no answer, is repeated twice; one that is answered 502, 503 or 504 is repeated after `Retry-After`, for as long as it may last.
 *  Each repeat has the same bytes. */
export function asking(fetch: Fetch, clock: Clocked = createSystemClock({ keepsAlive: true })): Ask {
  return async (method, url, { signal, ...sent } = {}) => {
    const endsAt = clock.now() + REPEATS_LIMIT_MS
    const pauses = [...BREAK_PAUSES_MS]
    for (let isRepeat = false; ; isRepeat = true) {
      signal?.throwIfAborted()
      const tried = await attempt(fetch, clock, url, { method, ...sent }, signal, endsAt - clock.now())
      signal?.throwIfAborted()
      if ('text' in tried && tried.response.ok) return tried.text
      const pauseMs = 'error' in tried ? (pauses.shift() ?? null) : repeatPauseMs(tried.response)
      if (pauseMs === null || clock.now() + pauseMs >= endsAt) {
        if ('error' in tried) throw tried.error
        throw new ServerRefusal(tried.response.status, errorIn(tried.text), isRepeat)
      }
      await pause(clock, pauseMs, signal)
    }
  }
}

type Tried = { readonly response: Response; readonly text: string } | { readonly error: unknown }

async function attempt(
  fetch: Fetch,
  clock: Clocked,
  url: string,
  sent: RequestInit,
  stop: AbortSignal | undefined,
  leftMs: number,
): Promise<Tried> {
  using limit = timeLimit(clock, Math.min(leftMs, CALL_LIMIT_MS), stop)
  try {
    const response = await fetch(url, { ...sent, signal: limit.signal })
    return { response, text: await response.text() }
  } catch (error) {
    return { error }
  }
}

function errorIn(text: string): Partial<RemoteErrorObject> {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? json : {}
  } catch {
    return {} // of a proxy, for instance
  }
}
