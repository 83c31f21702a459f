/** What whoever sent no HTTP request is answered, and when the connection just closes. */
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import * as assert from 'uvu/assert'
import { answerBrokenRequest } from '../../http/broken-request.ts'
import { suite } from '../suite.ts'

const Broken = suite('requests that are none')

const failed = (code: string): Error => Object.assign(new Error('broken'), { code })

/** @returns what is written on a socket; null: it is closed without a word, and without a failure */
async function writtenAfter(code: string, socket = new PassThrough(), isAnswering = false) {
  answerBrokenRequest({ retryAfterSec: 7 }, () => isAnswering)(failed(code), socket)
  if (!socket.destroyed) return await text(socket)
  await finished(socket).catch(error => assert.is(error.code, 'ERR_STREAM_PREMATURE_CLOSE'))
  return null
}

Broken('one that did not arrive in time: 503, and when to ask again', async () => {
  const written = (await writtenAfter('ERR_HTTP_REQUEST_TIMEOUT')) ?? ''
  assert.match(written, /^HTTP\/1\.1 503 Service Unavailable\r\n/)
  assert.match(
    written,
    /\r\nRetry-After: 7\r\nConnection: close\r\n\r\n\{.*the request did not arrive in time/,
  )
})

Broken('anything else: 400, and never again', async () => {
  const written = (await writtenAfter('HPE_INVALID_METHOD')) ?? ''
  assert.match(written, /^HTTP\/1\.1 400 Bad Request\r\n/)
  assert.match(written, /\r\nConnection: close\r\n\r\n\{.*expected an HTTP request/)
  assert.not.match(written, 'Retry-After')
})

Broken('nothing to a client that has gone, after the last byte, or into another answer', async () => {
  assert.is(await writtenAfter('ECONNRESET'), null)
  assert.is(await writtenAfter('HPE_INVALID_METHOD', new PassThrough().end()), null)
  assert.is(await writtenAfter('HPE_INVALID_METHOD', new PassThrough(), true), null)
})

Broken.run()
