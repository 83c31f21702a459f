/** What is not HTTP, or did not arrive in time, never reaches the application; it gets its remote error here (D1). @module */
import type { Duplex } from 'node:stream'
import { JSON_TYPE } from '../actors/stored-answer.ts'
import { InvalidRequest, type RemoteError, remoteErrorObject, Unavailable } from '../protocol/errors.ts'
import { writeJson } from '../protocol/json.ts'

export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else socket.end(rawAnswer(remoteErrorOf(error)))
}

function remoteErrorOf({ code }: NodeJS.ErrnoException): RemoteError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Unavailable('the request did not arrive in time')
  return new InvalidRequest('expected an HTTP request with headers of usual size, got something else')
}

function rawAnswer(error: RemoteError): string {
  const body = writeJson(remoteErrorObject(error))
  return [
    `HTTP/1.1 ${error.status} ${error.status === 503 ? 'Service Unavailable' : 'Bad Request'}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(error.status === 503 ? ['Retry-After: 2'] : []),
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
