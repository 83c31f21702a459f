/** The limits of every call, in time and in bytes, for calls of the server, the wallet and the commands. */
import { getEventListeners } from 'node:events'
import * as assert from 'uvu/assert'
import { call } from '../../cli/session/http.ts'
import { openEventStream } from '../../ports/event-source.ts'
import { fetchWithin, readBounded } from '../../ports/fetch.ts'
import { timeLimit } from '../../ports/limit.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { settle } from '../actors/node.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'

const Limits = suite('limits in time')

Limits('a limit aborts its signal when its time is over, and isOver is then true', () => {
  const clock = createSimulatedClock()
  using limit = timeLimit(clock, 10)
  clock.advance(9)
  assert.equal([limit.signal.aborted, limit.isOver], [false, false])
  clock.advance(1)
  assert.equal([limit.signal.aborted, limit.isOver], [true, true])
})

Limits('a stop signal aborts the limit too, even before the limit begins; isOver is then false', () => {
  const clock = createSimulatedClock()
  const stop = new AbortController()
  using during = timeLimit(clock, 10, stop.signal)
  stop.abort()
  using before = timeLimit(clock, 10, stop.signal)
  assert.equal([during.signal.aborted, during.isOver], [true, false])
  assert.equal([before.signal.aborted, before.isOver], [true, false])
})

Limits('a restarted limit has a new time, or no end', () => {
  const clock = createSimulatedClock()
  using limit = timeLimit(clock, 10)
  clock.advance(9)
  limit.restart(20)
  clock.advance(19)
  assert.not.ok(limit.signal.aborted)
  limit.restart(null)
  assert.is(clock.nextTimerAt(), null)
})

Limits('a limit that is left keeps no timer, no call and no listener for a stop', () => {
  const clock = createSimulatedClock()
  const stop = new AbortController()
  let left: AbortSignal
  {
    using limit = timeLimit(clock, 10, stop.signal)
    left = limit.signal
    assert.not.ok(left.aborted)
    assert.is(getEventListeners(stop.signal, 'abort').length, 1)
  }
  assert.is(clock.nextTimerAt(), null)
  assert.ok(left.aborted)
  assert.is(getEventListeners(stop.signal, 'abort').length, 0)
})

const Calls = suite('one call')

Calls('a call follows no redirect unless its caller says so, and ends with its limit', async () => {
  using limit = timeLimit(createSimulatedClock(), 10)
  const sent: (RequestInit | undefined)[] = []
  const send: typeof fetch = async (_, init) => {
    sent.push(init)
    return new Response()
  }
  await fetchWithin(limit, send, 'http://a.example')
  await fetchWithin(limit, send, 'http://a.example', { redirect: 'follow', method: 'POST' })
  assert.equal(
    sent.map(init => [init?.redirect, init?.method, init?.signal === limit.signal]),
    [
      ['manual', undefined, true],
      ['follow', 'POST', true],
    ],
  )
})

Calls('a body is read up to the limit of its reader', async () => {
  let count = 0
  const endless = ReadableStream.from(
    (function* () {
      for (; count < 1_000; count++) yield new Uint8Array(10)
    })(),
  )
  assert.is(
    await rejection(readBounded({ body: endless }, 30)),
    'BodyTooLongError: expected an answer of at most 30 bytes, got more',
  )
  assert.ok(count < 10, `${count} pieces were read`)
  assert.is((await readBounded(new Response('x'.repeat(30)), 30)).length, 30)
  assert.is((await readBounded(new Response(null), 30)).length, 0)
})

/** The `fetch` of a server that never answers. */
const silent: typeof fetch = (_, init) =>
  new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))))

Calls(
  'a stream that does not begin is given up; without a limit, a stream that has begun may be silent',
  async () => {
    const clock = createSimulatedClock()
    const limits = { headMs: 10, silenceMs: null, maxCharacters: 10 }
    const late = rejection(openEventStream({ fetch: silent, clock }, 'http://a.example', limits))
    clock.advance(10)
    assert.is(await late, 'Error: aborted')
    const begun: typeof fetch = async () => new Response(ReadableStream.from(['data: a\n\n'].map(toBytes)))
    using stream = await openEventStream({ fetch: begun, clock }, 'http://a.example', limits)
    assert.is(clock.nextTimerAt(), null)
    for await (const data of stream.events) assert.is(data, 'a')
    assert.is(clock.nextTimerAt(), null)
  },
)

function toBytes(text: string): Uint8Array {
  return Buffer.from(text)
}

Calls('svc session waits 20 s for a server that does not answer, and its error says so', async () => {
  const clock = createSimulatedClock()
  const { fetch } = globalThis
  globalThis.fetch = silent
  try {
    const late = rejection(call('session status', 'http://a.example/secret', {}, clock))
    clock.advance(19_999)
    await settle()
    assert.is(clock.nextTimerAt(), 20_000)
    clock.advance(1)
    assert.is(
      await late,
      'UnreachableError: session status: expected an answer from http://a.example within 20 s, got none',
    )
  } finally {
    globalThis.fetch = fetch
  }
})

Limits.run()
Calls.run()
