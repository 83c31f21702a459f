/** What is not HTTP, or did not arrive in time, never reaches the application; it gets its remote error here (D1). @module */
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { InvalidRequest, type RemoteError, Unavailable } from '../protocol/errors.ts'
import { errorAnswer } from '../sessions/stored-answer.ts'
import type { Limits } from './settings.ts'

/** A listener for what the HTTP parser of a server gives up on.
 *  @param isAnswering whether another answer is on its way there: whatever is written then would be read as a part of it, so the connection just closes */
export function answerBrokenRequest(
  { retryAfterSec }: Pick<Limits, 'retryAfterSec'>,
  isAnswering: (socket: Duplex) => boolean = () => false,
) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) socket.destroy()
    else socket.end(rawAnswer(remoteErrorOf(error), retryAfterSec))
  }
}

function remoteErrorOf({ code }: NodeJS.ErrnoException): RemoteError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Unavailable('the request did not arrive in time')
  return new InvalidRequest('expected an HTTP request with headers of usual size, got something else')
}

function rawAnswer(error: RemoteError, retryAfterSec: number): string {
  const { status, contentType, body } = errorAnswer(error, false)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(error instanceof Unavailable ? [`Retry-After: ${retryAfterSec}`] : []),
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
