/** The HTTP calls of a trial. Each has time and size limits, and errors of the connection contain only the host. @module */
import { type Clock, pause } from '../../ports/clock.ts'
import { type OpenedStream, openEventStream, STREAM_TYPE } from '../../ports/event-source.ts'
import { type Fetch, fetchWithin, readBounded } from '../../ports/fetch.ts'
import { timeLimit } from '../../ports/limit.ts'
import { trustOf } from '../wallet/trust.ts'
import type { Answer } from './answer.ts'
import { expectThat, MismatchError } from './expect.ts'
import { parsed } from './json.ts'

export type RequestHeaders = Readonly<Record<string, string>>
export type CallContent = {
  readonly headers?: RequestHeaders
  /** a value other than a string is sent as JSON */
  readonly body?: unknown
}

/** An event stream as a trial reads it. */
export type TrialStream = Disposable & {
  /** the data of each event, until the server ends the stream, or until a short time after a final status */
  untilFinal(): Promise<readonly string[]>
  /** @throws {MismatchError} if no event arrives in time */
  next(): Promise<string | null>
}

export type Calls = {
  call(method: string, url: string, sent?: CallContent): Promise<Answer>
  /** Opens a stream. When it resolves, the server sends every later event. */
  listen(url: string, headers?: RequestHeaders): Promise<TrialStream>
}

/** The server could not be reached. */
export class NoAnswerError extends MismatchError {}

export type CallDeps = {
  readonly fetch: Fetch
  readonly clock: Clock
  readonly signal: AbortSignal
}

const CALL_LIMIT_MS = 20_000
const MAX_ANSWER_BYTES = 2 ** 22
/** Maximum wait for an event that is due immediately. */
const EVENT_LIMIT_MS = 5_000
/** Time for which a stream is read after a final status, if the server does not end it. */
const REST_MS = 500
const STREAM_LIMITS = { headMs: CALL_LIMIT_MS, silenceMs: null, maxCharacters: 2 ** 16 }
const FINAL = /"(DONE|CANCELLED|TIMEOUT)"/

export function createCalls(deps: CallDeps): Calls {
  return {
    call: (method, url, sent = {}) => callOnce(deps, method, url, sent),
    async listen(url, headers = {}) {
      const stream = await reach(url, () =>
        openEventStream(deps, url, STREAM_LIMITS, { headers, stop: deps.signal }),
      )
      const type = stream.contentType?.split(';')[0]
      if (stream.status === 200 && type === STREAM_TYPE) return heard(stream, deps)
      stream[Symbol.dispose]()
      throw new MismatchError(
        `an event stream: 200 ${STREAM_TYPE}`,
        `${stream.status} ${type ?? 'without a type'}`,
      )
    },
  }
}

async function callOnce(
  { fetch, clock, signal }: CallDeps,
  method: string,
  url: string,
  { headers = {}, body }: CallContent,
): Promise<Answer> {
  using limit = timeLimit(clock, CALL_LIMIT_MS, signal)
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  const sent = new Headers(headers) // header names are case-insensitive
  if (text !== undefined && !sent.has('Content-Type')) sent.set('Content-Type', 'application/json')
  const init = {
    method,
    headers: Object.fromEntries(sent),
    ...(text !== undefined && { body: text }),
  }
  return await reach(url, async () => {
    const response = await fetchWithin(limit, fetch, url, init)
    const answer = (await readBounded(response, MAX_ANSWER_BYTES)).toString('utf8')
    return { status: response.status, headers: response.headers, text: answer, json: parsed(answer) }
  })
}

async function reach<Result>(url: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    throw new NoAnswerError(`an answer from ${new URL(url).origin}`, `none${trustOf(error) || codeOf(error)}`) // the cause may quote the address, which is secret
  }
}

/** The system's error code, such as `ECONNREFUSED`. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
}

function heard(stream: OpenedStream, { clock, signal }: CallDeps): TrialStream {
  const events = stream.events[Symbol.asyncIterator]()
  const nextWithin = async (ms: number): Promise<IteratorResult<string> | null> => {
    using limit = timeLimit(clock, ms, signal)
    const late = pause(clock, ms, limit.signal).then(() => null)
    return await Promise.race([events.next().catch(() => ({ done: true, value: undefined }) as const), late])
  }
  const next = async (): Promise<string | null> => {
    const event = await nextWithin(EVENT_LIMIT_MS)
    expectThat(event !== null, 'an event of the stream', `none within ${EVENT_LIMIT_MS / 1_000} s`)
    return event.done ? null : event.value
  }
  return {
    next,
    async untilFinal() {
      const all: string[] = []
      for (let event = await next(); event !== null; event = await next()) {
        all.push(event)
        if (FINAL.test(event)) break
      }
      for (;;) {
        const rest = await nextWithin(REST_MS)
        if (rest === null || rest.done) return all
        all.push(rest.value)
      }
    },
    [Symbol.dispose]: () => stream[Symbol.dispose](),
  }
}
