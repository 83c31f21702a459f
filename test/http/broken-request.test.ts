/** A request that is broken, too large or late gets an answer, and its connection is closed. */
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import * as assert from 'uvu/assert'
import { type BrokenRequestDeps, brokenRequests } from '../../http/broken-request.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { suite } from '../suite.ts'

const Broken = suite('broken requests')

const failed = (code: string): Error => Object.assign(new Error('broken'), { code })

function brokenOn(clock = createSimulatedClock(0), parts: Partial<BrokenRequestDeps> = {}) {
  const answers = { afterWhole: (_: unknown, then: () => void) => then(), isEarly: () => false }
  return brokenRequests({ clock, limits: { retryAfterSec: 7, headBytes: 65_536 }, answers, ...parts })
}

/** @returns the bytes that are written to the socket; null: the socket was closed without an answer, and without a failure */
async function writtenAfter(
  code: string,
  socket = new PassThrough(),
  parts: Partial<BrokenRequestDeps> = {},
) {
  brokenOn(createSimulatedClock(0), parts).answer(failed(code), socket)
  if (!socket.destroyed) return await text(socket)
  await finished(socket).catch(error => assert.is(error.code, 'ERR_STREAM_PREMATURE_CLOSE'))
  return null
}

Broken('a request that did not arrive in time is answered with 503 and Retry-After', async () => {
  const written = (await writtenAfter('ERR_HTTP_REQUEST_TIMEOUT')) ?? ''
  assert.match(written, /^HTTP\/1\.1 503 Service Unavailable\r\n/)
  assert.match(
    written,
    /\r\nRetry-After: 7\r\nConnection: close\r\n\r\n\{.*the request did not arrive in time/,
  )
})

/** Each code of the parser, with its answer. */
const ANSWERS = [
  ['HPE_INVALID_METHOD', '400 Bad Request', 'Invalid HTTP request', /expected an HTTP request/],
  [
    'HPE_HEADER_OVERFLOW',
    '431 Request Header Fields Too Large',
    'Request headers too large',
    /expected at most 65536 bytes in all/,
  ],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large', 'Request body too large', /chunk extensions/],
] as const

for (const [code, line, description, words] of ANSWERS)
  Broken(`${code}: ${line}, with a description, and without Retry-After`, async () => {
    const written = (await writtenAfter(code)) ?? ''
    const [head = '', body = ''] = written.split('\r\n\r\n')
    assert.match(head, `HTTP/1.1 ${line}\r\n`)
    assert.match(head, /\r\nConnection: close$/)
    assert.not.match(head, 'Retry-After')
    const error = JSON.parse(body)
    assert.equal([error.error, error.description], ['INVALID_REQUEST', description])
    assert.match(error.message, words)
  })

Broken('the answer has the headers of the listener, too', async () => {
  const headers = { 'Access-Control-Allow-Origin': '*' }
  const written = (await writtenAfter('HPE_HEADER_OVERFLOW', new PassThrough(), { headers })) ?? ''
  assert.match(written, /\r\nAccess-Control-Allow-Origin: \*\r\n/)
})

Broken(
  'no answer to a client that has left, after a failed TLS handshake, or on an ended socket',
  async () => {
    for (const code of ['ECONNRESET', 'ERR_TLS_HANDSHAKE_TIMEOUT', 'ERR_SSL_HTTP_REQUEST'])
      assert.is(await writtenAfter(code), null, code)
    assert.is(await writtenAfter('HPE_INVALID_METHOD', new PassThrough().end()), null)
  },
)

Broken('no second answer to a request whose answer began early: its connection ends', async () => {
  const answers = { afterWhole: (_: unknown, then: () => void) => then(), isEarly: () => true }
  assert.is(await writtenAfter('HPE_INVALID_CHUNK_SIZE', new PassThrough(), { answers }), '')
})

Broken('the answer waits until earlier requests of the connection have their answers', async () => {
  let answered = (): void => {}
  const answers = {
    afterWhole: (_: unknown, then: () => void) => {
      answered = then
    },
    isEarly: () => false,
  }
  const socket = new PassThrough()
  brokenOn(createSimulatedClock(0), { answers }).answer(failed('HPE_INVALID_METHOD'), socket)
  assert.equal([socket.readableLength, socket.destroyed], [0, false])
  answered()
  assert.match(await text(socket), /^HTTP\/1\.1 400 /)
})

Broken('a client that keeps its half of the connection open is disconnected 2 s later', () => {
  const clock = createSimulatedClock(0)
  const socket = new PassThrough({ allowHalfOpen: true, autoDestroy: false })
  brokenOn(clock).refuseLate(socket)
  clock.advance(1_999)
  assert.not(socket.destroyed)
  clock.advance(1)
  assert.ok(socket.destroyed)
})

Broken('further errors of the connection do not interrupt its answer, except a reset', () => {
  const socket = new PassThrough({ autoDestroy: false })
  const { answer } = brokenOn()
  answer(failed('HPE_HEADER_OVERFLOW'), socket)
  answer(failed('HPE_HEADER_OVERFLOW'), socket)
  assert.not(socket.destroyed)
  answer(failed('ECONNRESET'), socket)
  assert.ok(socket.destroyed)
})

Broken('an ended connection keeps no timer', async () => {
  const clock = createSimulatedClock(0)
  const socket = new PassThrough()
  brokenOn(clock).refuseLate(socket)
  await text(socket)
  await finished(socket)
  assert.is(clock.nextTimerAt(), null)
})

Broken.run()
