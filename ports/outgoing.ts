/** Calls of this server to others. The addresses come from requestors and schemes, so the answers are not trusted. Every call is bounded in time and
 *  size, follows no redirect and sends no credentials. No error contains the address, which may hold a secret. @module */
import type { Clock } from './clock.ts'
import { BodyTooLongError, type Fetch, fetchWithin, readBounded } from './fetch.ts'
import { timeLimit } from './limit.ts'
import { mistakeInAddress } from './outgoing-address.ts'
import { utf8Of } from './utf8.ts'

export type OutgoingAnswer = { readonly status: number; readonly text: string }

export type OutgoingBytes = { readonly status: number; readonly bytes: Uint8Array }

export type OutgoingMessage = {
  readonly body: string
  readonly contentType: string
  /** equal for all repetitions of a message */
  readonly idempotencyKey: string
  /** the trace of the call (traces.ts); left out: none */
  readonly traceparent?: string
}

/** No usable answer: the server was unreachable, too slow, or its answer was too long. An answer of any status is not a failure. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError'
  /** error code of the system, OpenSSL or the HTTP client (`ECONNREFUSED`); null: there is none. For the operator only: it would show the author of
   *  the address which ports of this network are open */
  readonly code: string | null

  constructor(message: string, code: string | null = null) {
    super(message)
    this.code = code
  }
}

/** The answer of a callback's receiver: its status, and its header `Retry-After`. */
export type CallbackAnswer = { readonly status: number; readonly retryAfter: string | null }

export interface Outgoing {
  /** Takes at most 8 s. @throws {OutgoingError} */
  post(url: string, message: OutgoingMessage): Promise<OutgoingAnswer>
  /** Takes at most 10 s, because no caller waits for it. The body of the answer is dropped.
   *  @param stop aborts the call
   *  @throws {OutgoingError} */
  notify(url: string, message: OutgoingMessage, stop: AbortSignal): Promise<CallbackAnswer>
  /** Takes at most 4 s. @throws {OutgoingError} */
  get(url: string): Promise<OutgoingAnswer>
  /** As `get`, for an answer that is not text.
   *  @param stop aborts the call
   *  @throws {OutgoingError} */
  getBytes(url: string, stop: AbortSignal): Promise<OutgoingBytes>
  /** Takes at most 4 s.
   *  @param stop aborts the call
   *  @throws {OutgoingError} */
  postBytes(url: string, body: Uint8Array, stop: AbortSignal): Promise<OutgoingBytes>
}

/** The HTTP client of all calls, and the clock of their time limits. */
export type OutgoingDeps = {
  readonly fetch: Fetch
  /** for addresses that requestors choose (`post`, `notify`); left out: `fetch` */
  readonly guarded?: Fetch
  readonly clock: Clock
}

const POST_MS = 8_000
const NOTIFY_MS = 10_000
const GET_MS = 4_000
const BYTES = { 'Content-Type': 'application/octet-stream' }
const MAX_BYTES = 2 ** 20
const MAX_DROPPED_BYTES = 2 ** 14

export function createOutgoing(deps: OutgoingDeps): Outgoing {
  const guarded = { ...deps, fetch: deps.guarded ?? deps.fetch }
  return {
    post: (url, message) => call(guarded, url, { ms: POST_MS, init: posted(message), read }),
    notify: (url, message, stop) =>
      call(guarded, url, { ms: NOTIFY_MS, init: posted(message), read: dropped, stop }),
    get: url => call(deps, url, { ms: GET_MS, init: { method: 'GET' }, read }),
    getBytes: (url, stop) => call(deps, url, { ms: GET_MS, init: { method: 'GET' }, read: readBytes, stop }),
    postBytes: (url, body, stop) => {
      const init = { method: 'POST', headers: BYTES, body }
      return call(deps, url, { ms: GET_MS, init, read: readBytes, stop })
    },
  }
}

/** @throws {OutgoingError} if the address is never called; the error does not contain it */
export function checkAddress(url: string): void {
  const mistake = mistakeInAddress(url)
  if (mistake !== null) throw new OutgoingError(mistake)
}

function posted({ body, contentType, idempotencyKey, traceparent }: OutgoingMessage): RequestInit {
  const headers = {
    'Content-Type': contentType,
    'Idempotency-Key': idempotencyKey,
    ...(traceparent !== undefined && { traceparent }),
  }
  return { method: 'POST', headers, body }
}

type Call<Answer> = {
  readonly ms: number
  readonly init: RequestInit
  readonly read: (response: Response) => Promise<Answer>
  readonly stop?: AbortSignal
}

async function call<Answer>(
  deps: Pick<OutgoingDeps, 'fetch' | 'clock'>,
  url: string,
  { ms, init, read, stop }: Call<Answer>,
): Promise<Answer> {
  checkAddress(url)
  if (stop?.aborted) throw new OutgoingError('expected time for an answer, got none: this server stops')
  using limit = timeLimit(deps.clock, ms, stop)
  try {
    return await read(await fetchWithin(limit, deps.fetch, url, init))
  } catch (error) {
    if (error instanceof OutgoingError) throw error
    if (error instanceof BodyTooLongError) throw new OutgoingError(error.message)
    // errors of fetch may quote the address
    if (limit.isOver) throw new OutgoingError(`expected an answer within ${ms} ms, got none`)
    throw new OutgoingError('expected an answer, got none', codeOf(error))
  }
}

function codeOf(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error) || !('code' in cause)) return null
  const code = String(cause.code)
  return /^[A-Z][A-Z0-9_]*$/.test(code) ? code : null
}

async function read(response: Response): Promise<OutgoingAnswer> {
  return { status: response.status, text: textOf(await readBounded(response, MAX_BYTES)) }
}

async function readBytes(response: Response): Promise<OutgoingBytes> {
  return { status: response.status, bytes: await readBounded(response, MAX_BYTES) }
}

/** Only the status and `Retry-After` are needed. A short body is read to its end, so that the connection can be reused. */
async function dropped(response: Response): Promise<CallbackAnswer> {
  try {
    await readBounded(response, MAX_DROPPED_BYTES)
  } catch {
    // an error in the body does not change the status
  }
  return { status: response.status, retryAfter: response.headers.get('Retry-After') }
}

function textOf(bytes: Uint8Array): string {
  const text = utf8Of(bytes)
  if (text === null) throw new OutgoingError('expected UTF-8, got other bytes')
  return text
}
