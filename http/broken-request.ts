/** A request that is not HTTP, is too large or arrives too late never reaches the application: it gets its remote error here (spec/decisions#d1), and its connection
 *  ends. @module */
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '../ports/clock.ts'
import {
  BodyTooLargeError,
  HeadersTooLargeError,
  InvalidRequestError,
  type RemoteError,
  UnavailableError,
} from '../protocol/errors.ts'
import { errorAnswer } from '../sessions/stored-answer.ts'
import type { PendingAnswers } from './pending-answers.ts'
import type { Limits } from './settings.ts'

/** The longest time between the last byte of an answer and the end of its connection. Without this limit a client could keep its half of the connection open. */
const ENDING_MS = 2_000
/** The code of a request whose head did not arrive in time. */
const LATE = 'ERR_HTTP_REQUEST_TIMEOUT'

export type BrokenRequestDeps = {
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  readonly limits: Pick<Limits, 'retryAfterSec' | 'headBytes'>
  /** headers of every answer of this listener */
  readonly headers?: Readonly<Record<string, string>>
  /** the pending answers of the same listener. A refusal is sent after them: otherwise the client would read it as a part of one, or as the answer to its next
   *  request. */
  readonly answers: Pick<PendingAnswers, 'afterWhole' | 'isEarly'>
}

export type BrokenRequests = {
  /** a listener for the event `clientError` of a server */
  readonly answer: (error: NodeJS.ErrnoException, socket: Duplex) => void
  /** Refuses a request whose head has not arrived in time. */
  readonly refuseLate: (socket: Duplex) => void
}

export function brokenRequests({ clock, limits, headers = {}, answers }: BrokenRequestDeps): BrokenRequests {
  /** Connections that are being closed. Bytes that still arrive on them are dropped, because a reset would discard the answer. */
  const ending = new WeakSet<Duplex>()
  const end = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    const late = clock.setTimeout(() => socket.destroy(), ENDING_MS)
    socket.once('close', () => clock.clearTimeout(late))
    if (answers.isEarly(socket)) socket.end()
    else if (socket.writable) socket.end(rawAnswer(remoteErrorOf(error, limits), limits, headers))
  }
  const answer: BrokenRequests['answer'] = (error, socket) => {
    if (!isOfParser(error)) socket.destroy()
    else if (ending.has(socket)) return
    else if (!socket.writable) socket.destroy()
    else {
      ending.add(socket)
      answers.afterWhole(socket, () => end(error, socket))
    }
  }
  const refuseLate = (socket: Duplex): void => answer(Object.assign(new Error(LATE), { code: LATE }), socket)
  return { answer, refuseLate }
}

/** False for errors of the connection or of its TLS handshake: no answer can be sent there. */
function isOfParser({ code = '' }: NodeJS.ErrnoException): boolean {
  return code === LATE || code.startsWith('HPE_')
}

function remoteErrorOf(
  { code }: NodeJS.ErrnoException,
  { headBytes }: BrokenRequestDeps['limits'],
): RemoteError {
  if (code === LATE) return new UnavailableError('the request did not arrive in time')
  if (code === 'HPE_HEADER_OVERFLOW')
    return new HeadersTooLargeError(`headers: expected at most ${headBytes} bytes in all, got more`)
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new BodyTooLargeError('body: expected short chunk extensions, got too many bytes of them')
  return new InvalidRequestError('expected an HTTP request, got something else')
}

function rawAnswer(
  error: RemoteError,
  { retryAfterSec }: BrokenRequestDeps['limits'],
  headers: Readonly<Record<string, string>>,
): string {
  const { status, contentType, body } = errorAnswer(error, false)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(error instanceof UnavailableError ? [`Retry-After: ${retryAfterSec}`] : []),
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
