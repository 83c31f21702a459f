/** Calls a server, retries failed attempts and reports refusals. @module */
import { type Clock, createSystemClock, pause } from '../../ports/clock.ts'
import { timeLimit } from '../../ports/limit.ts'
import { repeatPauseMs } from '../../ports/not-now.ts'
import type { RemoteErrorObject } from './results.ts'

export type Fetch = typeof globalThis.fetch

export type CallContent = {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** aborts the call and its retries */
  readonly signal?: AbortSignal | undefined
}

/** @returns the body of the response */
export type Ask = (method: 'GET' | 'POST' | 'DELETE', url: string, sent?: CallContent) => Promise<string>

/** Timeout of one attempt. */
const CALL_LIMIT_MS = 20_000
/** Time limit of a call, its retries included. */
const REPEATS_LIMIT_MS = 30_000
/** Pauses before the retries of an attempt that got no complete response. */
const BREAK_PAUSES_MS: readonly number[] = [150, 150]

/** An error response of the server. */
export class ServerRefusalError extends Error {
  override readonly name = 'ServerRefusalError'
  /** HTTP status */
  readonly status: number
  /** error type, such as `UNAUTHORIZED`; empty if the response did not come from a session server */
  readonly type: string
  /** True for a retry. An earlier attempt may have succeeded: its response was lost, or was 502, 503 or 504. */
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

/** Creates a call with retries; each retry sends the same bytes. An attempt without a complete response is retried twice. A response of 502, 503 or 504 is retried
 *  after `Retry-After`, until the time limit. */
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
        throw new ServerRefusalError(tried.response.status, errorIn(tried.text), isRepeat)
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
    return {} // a proxy, for instance, answers without JSON
  }
}
