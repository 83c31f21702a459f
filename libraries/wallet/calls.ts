/** The calls of a wallet app to a session server (spec/interface#4.2, #4.3, spec/session-server#9.8): headers, limits, retries. They fail with a `SessionError`, or
 *  with `Cancelled` after an abort by the user. Of a response, errors contain only the HTTP status and the error type. @module */
import { type Clock, pause } from '../../ports/clock.ts'
import {
  type OpenedStream,
  openEventStream,
  STREAM_TYPE,
  type StreamLimits,
} from '../../ports/event-source.ts'
import { BodyTooLongError, type Fetch, fetchWithin, readBounded } from '../../ports/fetch.ts'
import { type Limit, timeLimit } from '../../ports/limit.ts'
import { repeatPauseMs } from '../../ports/not-now.ts'
import { utf8Of } from '../../ports/utf8.ts'
import { readJson } from '../../protocol/json.ts'
import { CancelledError, SessionError } from './failure.ts'
import type { PointerAddress } from './pointer.ts'
import { trustOf } from './trust.ts'

/** The only protocol version of this wallet. */
export const PROTOCOL_VERSION = '2.8'
const CALL_LIMIT_MS = 20_000
/** Time limit of a call, its retries included. A server repeats a stored answer for 90 s, so every retry is in time. */
const REPEATS_LIMIT_MS = 60_000
/** Time limit of a cancellation, during which the user waits. Servers answer such calls within this time. */
const CANCEL_LIMIT_MS = 4_000
/** Pauses before the retries of an attempt without a complete response. A submission has more of them, because a lost answer can mean a lost credential. */
const BREAK_PAUSES_MS = [150, 150]
const SUBMISSION_PAUSES_MS = [...BREAK_PAUSES_MS, ...Array.from({ length: 8 }, () => 1_000)]
/** The maximum length of an answer. An answer to commitments holds signatures and at most 8 MiB of SD-JWTs (spec/decisions#sdjwtvc). */
const MAX_ANSWER_BYTES = 2 ** 24
/** Limits of the status stream. It may be silent for any time, because a user confirms the code. A status is shorter than the limit. */
const STREAM_LIMITS: StreamLimits = { headMs: CALL_LIMIT_MS, silenceMs: null, maxCharacters: 10_000 }
const ERROR_TYPE = /^[A-Z_]{1,64}$/

export type CallDeps = {
  readonly fetch: Fetch
  readonly clock: Clock
  /** aborts every call except the submission and the cancellation */
  readonly signal?: AbortSignal | undefined
}

export type Submission = { readonly path: '/proofs' | '/commitments'; readonly body: string }

export type ServerCalls = {
  /** First GET. @returns the body of the response, like the other calls */
  connect(): Promise<string>
  request(): Promise<string>
  status(): Promise<string>
  /** Submits proofs or commitments. A retry with the same bytes gets the same answer (spec/session-server#10). */
  submit(submission: Submission): Promise<string>
  /** DELETE. A failure is ignored: the session then times out. */
  cancel(): Promise<void>
  /** Opens the event stream. When it resolves, the server sends every later change. Null: there is no stream; poll `status`. */
  statusEvents(): Promise<OpenedStream | null>
}

export type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: string
  /** The user's signal does not abort it. Unless `isFarewell` is set, it also has more retries. */
  readonly ignoresAbort?: boolean
  /** its result is ignored, so it is not retried after 502, 503 or 504 */
  readonly isFarewell?: boolean
  /** the first response is final, 502, 503 and 504 included; only an attempt without a complete response is retried */
  readonly isAnsweredOnce?: boolean
}

/** Target of a call. Messages contain `host`. */
type CallTarget = Pick<PointerAddress, 'u' | 'host'>

/** @param authorization secret that binds the calls of this session to one app (spec/decisions#d15) */
export function createCalls(pointer: PointerAddress, authorization: string, deps: CallDeps): ServerCalls {
  const { profile } = pointer
  const headers = {
    [profile.minVersionHeader]: PROTOCOL_VERSION,
    [profile.maxVersionHeader]: PROTOCOL_VERSION,
    Authorization: authorization,
  }
  const call = (what: Call): Promise<string> => callWithRetries(pointer, headers, what, deps)
  return {
    connect: () => call({ method: 'GET', path: '/' }),
    request: () => call({ method: 'GET', path: '/request' }),
    status: () => call({ method: 'GET', path: '/status' }),
    submit: ({ path, body }) => call({ method: 'POST', path, body, ignoresAbort: true }),
    cancel: async () => {
      try {
        await call({ method: 'DELETE', path: '/', ignoresAbort: true, isFarewell: true })
      } catch (error) {
        if (!(error instanceof SessionError)) throw error
      }
    },
    statusEvents: () => openStream(`${pointer.u}/statusevents`, deps),
  }
}

/** POST to the address of a static session (spec/session-server#16). A retry may start a second session, which is harmless: it times out if no app connects.
 *  @returns the body of the response */
export function callStaticSession(pointer: PointerAddress, deps: CallDeps): Promise<string> {
  return callWithRetries(pointer, {}, { method: 'POST', path: '', body: '{}' }, deps)
}

/** A response 502, 503 or 504: the server cannot answer now. The same bytes may be sent again. */
class NotNowError extends Error {
  readonly failure: SessionError
  readonly pauseMs: number
  constructor(failure: SessionError, pauseMs: number) {
    super(failure.message)
    this.failure = failure
    this.pauseMs = pauseMs
  }
}

/** Calls with retries; each retry sends the same bytes. An attempt without a complete response is retried after each of the pauses. 502, 503 and 504 are retried
 *  until the time limit, except if `isFarewell` or `isAnsweredOnce`. Any other response is final. */
export async function callWithRetries(
  target: CallTarget,
  headers: Record<string, string>,
  what: Call,
  deps: CallDeps,
): Promise<string> {
  const { clock } = deps
  const pauses = [...(what.ignoresAbort && !what.isFarewell ? SUBMISSION_PAUSES_MS : BREAK_PAUSES_MS)]
  const endsAt = clock.now() + limitMsOf(what)
  const stop = what.ignoresAbort ? undefined : deps.signal
  for (;;) {
    const leftMs = endsAt - clock.now()
    using limit = timeLimit(clock, Math.min(leftMs, CALL_LIMIT_MS), stop)
    try {
      return await attempt(target, headers, what, limit, deps)
    } catch (error) {
      const pauseMs = pauseAfter(error, what, pauses)
      const isLate = limit.isOver && leftMs <= CALL_LIMIT_MS
      if (pauseMs === null || isLate || clock.now() + pauseMs >= endsAt)
        throw error instanceof NotNowError ? error.failure : error
      await pause(clock, pauseMs, stop)
    }
  }
}

function limitMsOf({ isFarewell, isAnsweredOnce }: Call): number {
  if (isFarewell) return CANCEL_LIMIT_MS
  return isAnsweredOnce ? CALL_LIMIT_MS : REPEATS_LIMIT_MS
}

/** @param pauses remaining pauses for attempts without a complete response
 *  @returns null: no retry */
function pauseAfter(error: unknown, { isFarewell, isAnsweredOnce }: Call, pauses: number[]): number | null {
  if (error instanceof NotNowError) return isFarewell || isAnsweredOnce ? null : error.pauseMs
  const isBroken = error instanceof SessionError && error.reason === 'transport'
  return isBroken ? (pauses.shift() ?? null) : null
}

async function attempt(
  target: CallTarget,
  headers: Record<string, string>,
  { method, path, body, ignoresAbort }: Call,
  limit: Limit,
  deps: CallDeps,
): Promise<string> {
  const sent = {
    method,
    headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json; charset=UTF-8' },
    ...(body !== undefined && { body }),
  }
  let response: Response
  let text: string | null
  try {
    response = await fetchWithin(limit, deps.fetch, target.u + path, sent)
    text = utf8Of(await readBounded(response, MAX_ANSWER_BYTES))
  } catch (error) {
    if (error instanceof BodyTooLongError) throw new SessionError('malformed-answer', error.message)
    if (!ignoresAbort && deps.signal?.aborted) throw new CancelledError()
    throw new SessionError('transport', `expected an answer from ${target.host}, got none${trustOf(error)}`) // the cause may quote the address, which is secret
  }
  if (text === null)
    throw new SessionError('malformed-answer', 'expected an answer in UTF-8, got other bytes')
  if (response.status === 200 || (response.status === 204 && method === 'DELETE')) return text
  const failure = remoteFailure(response.status, text)
  const pauseMs = repeatPauseMs(response)
  throw pauseMs === null ? failure : new NotNowError(failure, pauseMs)
}

function remoteFailure(status: number, text: string): SessionError {
  const type = errorTypeOf(text)
  if (!type)
    return new SessionError('malformed-answer', `expected status 200 or a remote error, got ${status}`)
  return new SessionError('server-error', `the server answered ${status} ${type}`, {
    remote: { status, type },
  })
}

function errorTypeOf(text: string): string | null {
  try {
    const json = readJson(text)
    const isObject = typeof json === 'object' && json !== null && 'error' in json
    return isObject && typeof json.error === 'string' && ERROR_TYPE.test(json.error) ? json.error : null
  } catch {
    return null // not JSON, for instance the page of a proxy
  }
}

/** Opens the stream without the headers that authenticate the app, as existing apps do. */
async function openStream(address: string, deps: CallDeps): Promise<OpenedStream | null> {
  try {
    const stream = await openEventStream(deps, address, STREAM_LIMITS, deps.signal && { stop: deps.signal })
    if (stream.status === 200 && stream.contentType === STREAM_TYPE) return stream
    stream[Symbol.dispose]()
  } catch {
    // the caller requests the status instead, and that request reports a lasting error
  }
  return null
}
