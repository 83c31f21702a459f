/** The calls of a wallet app to a session server (spec 4.2, 4.3, session-server note 9.8): headers, limits, retries. An error is a
 *  `SessionFailure`, or `Cancelled` when the user walked away; nothing of an answer but its HTTP status and error type gets into one. @module */
import { type Clock, pause } from '../ports/clock.ts'
import { type OpenedStream, openEventStream, STREAM_TYPE, type StreamLimits } from '../ports/event-source.ts'
import { BodyTooLong, type Fetch, fetchWithin, readBounded } from '../ports/fetch.ts'
import { type Limit, timeLimit } from '../ports/limit.ts'
import { repeatPauseMs } from '../ports/not-now.ts'
import { readJson } from '../protocol/json.ts'
import { Cancelled, SessionFailure } from './failure.ts'
import type { PointerAddress } from './pointer.ts'
import { trustOf } from './trust.ts'

/** The one version spoken here. */
export const PROTOCOL_VERSION = '2.8'
const CALL_LIMIT_MS = 20_000
/** The longest time of a call with its repeats. A server sends a stored answer again for 90 s, so that no repeat comes too late. */
const REPEATS_LIMIT_MS = 60_000
/** The longest time that a user who has left waits for the server to hear of it: as long as a server takes for such a call. */
const CANCEL_LIMIT_MS = 4_000
/** The pauses after connections that broke, or gave no answer. A submission has more of them: with its answer a credential would be lost. */
const BREAK_PAUSES_MS = [150, 150]
const SUBMISSION_PAUSES_MS = [...BREAK_PAUSES_MS, ...Array.from({ length: 8 }, () => 1_000)]
const MAX_ANSWER_BYTES = 1 << 20
/** A person may take any time to confirm a code; a status has less characters. */
const STREAM_LIMITS: StreamLimits = { headMs: CALL_LIMIT_MS, silenceMs: null, maxCharacters: 10_000 }
const ERROR_TYPE = /^[A-Z_]{1,64}$/

export type CallDeps = {
  readonly fetch: Fetch
  readonly clock: Clock
  /** ends every call but the submission and the cancellation */
  readonly signal?: AbortSignal | undefined
}

export type Submission = { readonly path: '/proofs' | '/commitments'; readonly body: string }

export type ServerCalls = {
  /** First GET. @returns the body of the answer, like the others */
  connect(): Promise<string>
  request(): Promise<string>
  status(): Promise<string>
  /** proofs or commitments: what a repeat of the same is answered with is the same answer (note 10) */
  submit(submission: Submission): Promise<string>
  /** DELETE; that it fails changes nothing for the user: the session runs into its timeout then */
  cancel(): Promise<void>
  /** Registered with the server when this resolves; null: it has no stream now, ask `status` */
  statusEvents(): Promise<OpenedStream | null>
}

export type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: string
  /** not ended by the user */
  readonly isFinal?: boolean
  /** nobody waits for what it comes to: it is not repeated when the server cannot answer now */
  readonly isFarewell?: boolean
  /** each answer is the answer, 502 and 503 too */
  readonly isAnsweredOnce?: boolean
}

/** Where a call goes; `host` stands in the messages. */
type CallTarget = Pick<PointerAddress, 'u' | 'host'>

/** @param authorization secret that binds the calls of this session to one app (D15) */
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
    submit: ({ path, body }) => call({ method: 'POST', path, body, isFinal: true }),
    cancel: async () => {
      try {
        await call({ method: 'DELETE', path: '/', isFinal: true, isFarewell: true })
      } catch (error) {
        if (!(error instanceof SessionFailure)) throw error
      }
    },
    statusEvents: () => openStream(`${pointer.u}/statusevents`, deps),
  }
}

/** POST to the address of a static session (session-server note 16). That a repeat begins another session does no harm: one that nobody
 *  connects to runs into its timeout.
 *  @returns the body of the answer */
export function callStaticSession(pointer: PointerAddress, deps: CallDeps): Promise<string> {
  return callWithRetries(pointer, {}, { method: 'POST', path: '', body: '{}' }, deps)
}

/** A server that cannot answer now: nothing was lost, and the same bytes may be sent again. */
class NotNow extends Error {
  readonly failure: SessionFailure
  readonly pauseMs: number
  constructor(failure: SessionFailure, pauseMs: number) {
    super(failure.message)
    this.failure = failure
    this.pauseMs = pauseMs
  }
}

/** A call that broke, or got no answer, is repeated a few times. One that was answered 502, 503 or 504 is repeated for as long as it may last, unless it is a
 *  farewell. Each repeat has the same bytes. Any other answer is the answer. */
export async function callWithRetries(
  target: CallTarget,
  headers: Record<string, string>,
  what: Call,
  deps: CallDeps,
): Promise<string> {
  const { clock } = deps
  const pauses = [...(what.isFinal && !what.isFarewell ? SUBMISSION_PAUSES_MS : BREAK_PAUSES_MS)]
  const endsAt = clock.now() + limitMsOf(what)
  const stop = what.isFinal ? undefined : deps.signal
  for (;;) {
    const leftMs = endsAt - clock.now()
    using limit = timeLimit(clock, Math.min(leftMs, CALL_LIMIT_MS), stop)
    try {
      return await attempt(target, headers, what, limit, deps)
    } catch (error) {
      const pauseMs = pauseAfter(error, what, pauses)
      const isLate = limit.isOver && leftMs <= CALL_LIMIT_MS
      if (pauseMs === null || isLate || clock.now() + pauseMs >= endsAt)
        throw error instanceof NotNow ? error.failure : error
      await pause(clock, pauseMs, stop)
    }
  }
}

function limitMsOf({ isFarewell, isAnsweredOnce }: Call): number {
  if (isFarewell) return CANCEL_LIMIT_MS
  return isAnsweredOnce ? CALL_LIMIT_MS : REPEATS_LIMIT_MS
}

/** @param pauses that are left for broken connections
 *  @returns null: there is no repeat */
function pauseAfter(error: unknown, { isFarewell, isAnsweredOnce }: Call, pauses: number[]): number | null {
  if (error instanceof NotNow) return isFarewell || isAnsweredOnce ? null : error.pauseMs
  const isBroken = error instanceof SessionFailure && error.reason === 'transport'
  return isBroken ? (pauses.shift() ?? null) : null
}

async function attempt(
  target: CallTarget,
  headers: Record<string, string>,
  { method, path, body, isFinal }: Call,
  limit: Limit,
  deps: CallDeps,
): Promise<string> {
  const sent = {
    method,
    headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json; charset=UTF-8' },
    ...(body !== undefined && { body }),
  }
  let response: Response
  let text: string
  try {
    response = await fetchWithin(limit, deps.fetch, target.u + path, sent)
    text = (await readBounded(response, MAX_ANSWER_BYTES)).toString('utf8')
  } catch (error) {
    if (error instanceof BodyTooLong) throw new SessionFailure('malformed-answer', error.message)
    if (!isFinal && deps.signal?.aborted) throw new Cancelled()
    throw new SessionFailure('transport', `no answer from ${target.host}${trustOf(error)}`) // the cause may quote the address, which is secret
  }
  if (response.status === 200 || (response.status === 204 && method === 'DELETE')) return text
  const failure = remoteFailure(response.status, text)
  const pauseMs = repeatPauseMs(response)
  throw pauseMs === null ? failure : new NotNow(failure, pauseMs)
}

function remoteFailure(status: number, text: string): SessionFailure {
  const type = errorTypeOf(text)
  if (!type)
    return new SessionFailure('malformed-answer', `expected status 200 or a remote error, got ${status}`)
  return new SessionFailure('server-error', `the server answered ${status} ${type}`, {
    remote: { status, type },
  })
}

function errorTypeOf(text: string): string | null {
  try {
    const json = readJson(text)
    const isObject = typeof json === 'object' && json !== null && 'error' in json
    return isObject && typeof json.error === 'string' && ERROR_TYPE.test(json.error) ? json.error : null
  } catch {
    return null // not JSON: a proxy's page, for instance
  }
}

/** Without headers that name the session's app, as existing apps send it. */
async function openStream(address: string, deps: CallDeps): Promise<OpenedStream | null> {
  try {
    const stream = await openEventStream(deps, address, STREAM_LIMITS, deps.signal && { stop: deps.signal })
    if (stream.status === 200 && stream.contentType === STREAM_TYPE) return stream
    stream[Symbol.dispose]()
  } catch {
    // whatever is wrong shows again, or not, when the status is asked for
  }
  return null
}
