/** Calls that this server makes to others: the addresses come from requestors and schemes, so nothing that answers there is trusted. Every call is
 *  bounded in time and size, follows no redirect and sends no credentials. No error says where it was sent: an address may hold a secret. @module */
import type { Clock } from './clock.ts'
import { BodyTooLong, type Fetch, fetchWithin, readBounded } from './fetch.ts'
import { timeLimit } from './limit.ts'
import { addressOf } from './outgoing-address.ts'
import { utf8Of } from './utf8.ts'

export type OutgoingAnswer = { readonly status: number; readonly text: string }

export type OutgoingBytes = { readonly status: number; readonly bytes: Uint8Array }

export type OutgoingMessage = {
  readonly body: string
  readonly contentType: string
  /** equal for every repetition of the same message */
  readonly idempotencyKey: string
  /** the trace that the call belongs to (traces.ts); left out: none */
  readonly traceparent?: string
}

/** No answer, or none that is wanted: unreachable, too late, too long. An answer with any status is none of these. */
export class OutgoingFailure extends Error {
  override readonly name = 'OutgoingFailure'
  /** how the system, OpenSSL or the client of HTTP calls what went wrong on the way (`ECONNREFUSED`), for the operator alone: to whoever chose
   *  the address it would tell who listens in this network. Null: nothing did, or it has no such name */
  readonly code: string | null

  constructor(message: string, code: string | null = null) {
    super(message)
    this.code = code
  }
}

/** What the receiver of a callback says: its status, and its header `Retry-After`. */
export type Notified = { readonly status: number; readonly retryAfter: string | null }

export interface Outgoing {
  /** Within 8 s. @throws {OutgoingFailure} */
  post(url: string, message: OutgoingMessage): Promise<OutgoingAnswer>
  /** Within 10 s: nobody waits for it. The body of the answer is dropped.
   *  @param stop gives up before that
   *  @throws {OutgoingFailure} */
  notify(url: string, message: OutgoingMessage, stop: AbortSignal): Promise<Notified>
  /** Within 4 s. @throws {OutgoingFailure} */
  get(url: string): Promise<OutgoingAnswer>
  /** The same, of what is no text.
   *  @param stop gives up before that
   *  @throws {OutgoingFailure} */
  getBytes(url: string, stop: AbortSignal): Promise<OutgoingBytes>
  /** Within 4 s.
   *  @throws {OutgoingFailure} */
  postBytes(url: string, body: Uint8Array, stop: AbortSignal): Promise<OutgoingBytes>
}

/** What calls to others are made with, and how their time is counted. */
export type OutgoingDeps = { readonly fetch: Fetch; readonly clock: Clock }

const POST_MS = 8_000
const NOTIFY_MS = 10_000
const GET_MS = 4_000
const BYTES = { 'Content-Type': 'application/octet-stream' }
const MAX_BYTES = 2 ** 20
const MAX_DROPPED_BYTES = 2 ** 14

export function createOutgoing(deps: OutgoingDeps): Outgoing {
  return {
    post: (url, message) => call(deps, url, { ms: POST_MS, init: posted(message), read }),
    notify: (url, message, stop) =>
      call(deps, url, { ms: NOTIFY_MS, init: posted(message), read: dropped, stop }),
    get: url => call(deps, url, { ms: GET_MS, init: { method: 'GET' }, read }),
    getBytes: (url, stop) => call(deps, url, { ms: GET_MS, init: { method: 'GET' }, read: readBytes, stop }),
    postBytes: (url, body, stop) => {
      const init = { method: 'POST', headers: BYTES, body }
      return call(deps, url, { ms: GET_MS, init, read: readBytes, stop })
    },
  }
}

/** @throws {OutgoingFailure} for what is no address of a server, or holds credentials; the address is not in its text */
export function checkAddress(url: string): void {
  if (addressOf(url) === null)
    throw new OutgoingFailure('expected an http or https URL without a user name, got something else')
}

function posted({ body, contentType, idempotencyKey, traceparent }: OutgoingMessage): RequestInit {
  const headers = {
    ...{ 'Content-Type': contentType, 'Idempotency-Key': idempotencyKey },
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
  deps: OutgoingDeps,
  url: string,
  { ms, init, read, stop }: Call<Answer>,
): Promise<Answer> {
  checkAddress(url)
  if (stop?.aborted) throw new OutgoingFailure('expected time for an answer, got none: this server stops')
  using limit = timeLimit(deps.clock, ms, stop)
  try {
    return await read(await fetchWithin(limit, deps.fetch, url, init))
  } catch (error) {
    if (error instanceof OutgoingFailure) throw error
    if (error instanceof BodyTooLong) throw new OutgoingFailure(error.message)
    // whatever fetch says may quote the address
    if (limit.isOver) throw new OutgoingFailure(`expected an answer within ${ms} ms, got none`)
    throw new OutgoingFailure('expected an answer, got none', codeOf(error))
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

/** The status has arrived, and nothing else is wanted; a short answer is let through to its end, which spares the connection. */
async function dropped(response: Response): Promise<Notified> {
  try {
    await readBounded(response, MAX_DROPPED_BYTES)
  } catch {
    // how it goes on does not change what was answered
  }
  return { status: response.status, retryAfter: response.headers.get('Retry-After') }
}

function textOf(bytes: Uint8Array): string {
  const text = utf8Of(bytes)
  if (text === null) throw new OutgoingFailure('expected UTF-8, got other bytes')
  return text
}
