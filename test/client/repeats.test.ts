/** Calls that the client repeats: those with the answers 502, 503 or 504, broken ones, and those without an answer. It sends the same bytes, for a bounded time. @module */
import * as assert from 'uvu/assert'
import { asking, type Fetch } from '../../libraries/client/calls.ts'
import { createFrontend, ServerRefusalError } from '../../libraries/client.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'

const Repeats = suite('repeats of the client')
const URL = 'http://server.example/session'

/** A clock on which time passes only in pauses and limits, each of which ends at once. */
function hastyClock(pausesOnly = true) {
  const waits: number[] = []
  let passedMs = 0
  return {
    waits,
    now: () => passedMs,
    setTimeout(action: () => void, ms: number) {
      if (pausesOnly && ms > 7_000) return {}
      waits.push(ms)
      return setImmediate(() => {
        passedMs += ms
        action()
      })
    },
    clearTimeout: () => {},
  }
}

type Responder = (init: RequestInit) => Promise<Response>
const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Responder =>
  async () =>
    new Response(body, { status, headers })
const reset: Responder = () => Promise.reject(new TypeError('fetch failed'))
const silent: Responder = ({ signal }) =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
const cutOff: Responder = async () =>
  new Response(new ReadableStream({ start: body => body.error(new TypeError('terminated')) }))

/** The last answer is repeated. */
function fetching(...given: readonly Responder[]): { fetch: Fetch; sent: string[] } {
  const sent: string[] = []
  const fetch: Fetch = (_url, init = {}) => {
    const next = given[Math.min(sent.length, given.length - 1)]
    sent.push(`${init.method} ${JSON.stringify(init.headers)} ${init.body}`)
    return next ? next(init) : Promise.reject(new Error('expected an answer to give, got none'))
  }
  return { fetch, sent }
}

const LOST: Readonly<Record<string, readonly [Responder, number]>> = {
  'answered 503, with Retry-After': [answer(503, '', { 'Retry-After': '3' }), 3_000],
  'answered 503, without': [answer(503), 2_000],
  'answered 502': [answer(502, '<h1>Bad gateway</h1>'), 2_000],
  'answered 504': [answer(504), 2_000],
  reset: [reset, 150],
  'cut off in its answer': [cutOff, 150],
}

for (const [what, [lost, pauseMs]] of Object.entries(LOST))
  Repeats(`a call that is ${what} is sent again, the same bytes`, async () => {
    const clock = hastyClock()
    const { fetch, sent } = fetching(lost, lost, answer(200, 'done'))
    const headers = { Authorization: 'token' }
    assert.is(await asking(fetch, clock)('POST', URL, { headers, body: 'request' }), 'done')
    assert.equal([sent.length, new Set(sent).size], [3, 1])
    assert.equal(clock.waits, [pauseMs, pauseMs])
  })

Repeats('a call whose connection breaks each time is tried three times', async () => {
  const { fetch, sent } = fetching(reset)
  assert.is(await rejection(asking(fetch, hastyClock())('GET', URL)), 'TypeError: fetch failed')
  assert.is(sent.length, 3)
})

Repeats(
  'after half a minute of 503, the error says that the call is a repeat, which may have been done before',
  async () => {
    const { fetch, sent } = fetching(answer(503, '', { 'Retry-After': '7' }))
    const refused = await asking(fetch, hastyClock())('GET', URL).catch(error => error)
    assert.ok(refused instanceof ServerRefusalError)
    assert.equal([refused.status, refused.isRepeat, sent.length], [503, true, 5])
  },
)

Repeats('a call without an answer is tried for half a minute, 20 s at a time', async () => {
  const clock = hastyClock(false)
  const { fetch, sent } = fetching(silent)
  await rejection(asking(fetch, clock)('GET', URL))
  assert.equal([clock.waits, sent.length], [[20_000, 150, 9_850], 2])
})

Repeats('a call with any other answer is not repeated', async () => {
  const { fetch, sent } = fetching(answer(500))
  const refused = await asking(fetch, hastyClock())('GET', URL).catch(error => error)
  assert.equal([refused.status, refused.isRepeat, sent.length], [500, false, 1])
})

Repeats('a signal ends the pause and the call', async () => {
  for (const given of [answer(503, '', { 'Retry-After': '9' }), silent]) {
    const { fetch, sent } = fetching(given)
    const stop = new AbortController()
    const asked = rejection(asking(fetch, hastyClock())('GET', URL, { signal: stop.signal }))
    await new Promise(resolve => setImmediate(resolve))
    stop.abort(new Error('enough'))
    assert.equal([await asked, sent.length], ['Error: enough', 1])
  }
})

const REFUSED = answer(403, '{"status":403,"error":"UNEXPECTED_REQUEST"}')
const frontendWith = (fetch: Fetch) =>
  createFrontend(
    {
      sessionPtr: { u: `${URL}/x`, svcqr: 'disclosing' },
      frontendRequest: { authorization: 'a', minProtocolVersion: '1.0', maxProtocolVersion: '1.1' },
    },
    { fetch },
  )

for (const [status, isDone] of [
  ['CONNECTED', true],
  ['DONE', true],
  ['CANCELLED', false],
] as const)
  Repeats(`pairing whose confirmation was lost is ${isDone ? 'done' : 'refused'} in ${status}`, async () => {
    const { fetch } = fetching(reset, REFUSED, answer(200, JSON.stringify({ status })))
    const done = frontendWith(fetch).pairingCompleted()
    assert.is(
      await done.then(
        () => true,
        ({ type }) => type,
      ),
      isDone || 'UNEXPECTED_REQUEST',
    )
  })

Repeats('pairing that is refused at once stays refused', async () => {
  const { fetch, sent } = fetching(REFUSED)
  assert.match(await rejection(frontendWith(fetch).pairingCompleted()), /^ServerRefusalError/)
  assert.is(sent.length, 1)
})

Repeats.run()
