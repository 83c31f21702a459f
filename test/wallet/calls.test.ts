/** The calls of a wallet app, to servers that follow the protocol, break it, or do not answer (spec/interface#4.3, #5.3, #9; spec/session-server#9.8). @module */

import * as assert from 'uvu/assert'
import { createCalls } from '../../libraries/wallet/calls.ts'
import { parseSessionPointer } from '../../libraries/wallet/pointer.ts'
import { answerSession, type Consent } from '../../libraries/wallet/session.ts'
import type { Clock } from '../../ports/clock.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { deps, newWallet } from './demo-wallets.ts'
import { type Answer, broken, hastyClock, json, NEVER, silent, startFakeServer } from './fake-server.ts'
import { agree, assertFailed, connection, irma, play, svc, WELL, wallet } from './play.ts'

const Calls = suite('calls of the wallet app')

for (const profile of [svc, irma])
  Calls(`all calls have the versions and one secret authorization in profile ${profile.name}`, async () => {
    const { outcome, calls, server } = await play(
      { ...WELL, 'GET /': json(connection(profile)) },
      { profile },
    )
    assert.equal(outcome, { status: 'success', proofStatus: 'VALID', clientReturnUrl: null })
    assert.equal(calls, ['GET /', 'POST /proofs'])
    for (const { headers } of server.asked) {
      assert.is(headers[profile.minVersionHeader.toLowerCase()], '2.8')
      assert.is(headers[profile.maxVersionHeader.toLowerCase()], '2.8')
      assert.match(headers.authorization ?? '', /^[A-Za-z0-9_-]{20}$/)
      assert.is(headers.authorization, server.asked[0]?.headers.authorization)
    }
    assert.is(server.asked[1]?.headers['content-type'], 'application/json; charset=UTF-8')
    const { server: other } = await play({ ...WELL, 'GET /': json(connection(profile)) }, { profile })
    assert.is.not(other.asked[0]?.headers.authorization, server.asked[0]?.headers.authorization)
  })

Calls(
  'a call whose connection breaks is tried three times, with pauses; a submission for longer',
  async () => {
    const clock = hastyClock()
    const once = await play({ ...WELL, 'GET /': [broken, broken, json(connection(irma))] }, { clock })
    assert.is(once.outcome.status, 'success')
    assert.equal(
      clock.waits.filter(ms => ms < 1000),
      [150, 150],
    )
    const away = await play({ ...WELL, 'GET /': broken })
    assertFailed(away.outcome, 'transport', /^expected an answer from 127\.0\.0\.1:\d+, got none$/)
    assert.equal(away.calls, ['GET /', 'GET /', 'GET /', 'DELETE /'])
    const never = await play({ ...WELL, 'POST /proofs': broken })
    assertFailed(never.outcome, 'transport', /^expected an answer from 127\.0\.0\.1:\d+, got none$/)
    assert.equal(never.calls, ['GET /', ...Array(11).fill('POST /proofs'), 'DELETE /'])
  },
)

Calls('a call whose answer breaks off is repeated', async () => {
  const half: Answer = response => {
    response.writeHead(200, { 'Content-Length': '1000' })
    response.write('{', () => response.destroy())
  }
  const { outcome } = await play({ ...WELL, 'GET /': [half, json(connection(irma))] })
  assert.is(outcome.status, 'success')
})

Calls('a repeated submission has the same bytes', async () => {
  const { server } = await play({ ...WELL, 'POST /proofs': [broken, json({ proofStatus: 'VALID' })] })
  const [first, second] = server.asked.filter(({ call }) => call === 'POST /proofs')
  assert.is(first?.body, second?.body)
})

/** A clock on which only pauses take time. No call reaches its limit, which is 4 s or more than 10 s here. */
function movingClock(): Clock & { readonly waits: readonly number[] } {
  const clock = hastyClock(10_000)
  let passedMs = 0
  return {
    ...clock,
    now: () => clock.now() + passedMs,
    setTimeout(action, ms) {
      if (ms > 10_000 || ms === 4_000) return NEVER
      return clock.setTimeout(() => {
        passedMs += ms
        action()
      }, ms)
    },
  }
}

function unavailable(retryAfter?: string): Answer {
  return response => {
    const headers = { 'Content-Type': 'application/json', ...(retryAfter && { 'Retry-After': retryAfter }) }
    response.writeHead(503, headers).end(JSON.stringify({ status: 503, error: 'INTERNAL_ERROR' }))
  }
}

Calls('a submission that is answered 503 is repeated after Retry-After, with the same bytes', async () => {
  const clock = movingClock()
  const answers = [unavailable('3'), unavailable(), unavailable('soon'), json({ proofStatus: 'VALID' })]
  const { outcome, server } = await play({ ...WELL, 'POST /proofs': answers }, { clock })
  assert.is(outcome.status, 'success')
  assert.equal(
    clock.waits.filter(ms => ms < 20_000),
    [3_000, 2_000, 2_000],
  )
  const sent = server.asked.filter(({ call }) => call === 'POST /proofs')
  const bytes = sent.map(({ body, headers }) => `${body} ${headers.authorization}`)
  assert.equal([sent.length, new Set(bytes).size], [4, 1])
})

/** Answers of a proxy, or failures of the network, after the server has stored the answer. */
const LOST: Readonly<Record<string, Answer>> = {
  'answered 502 by a proxy': response =>
    response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  'answered 504 by a proxy': response => response.writeHead(504).end(),
  'cut off with a reset': response => response.socket?.resetAndDestroy(),
  'cut off in the middle of its answer': response => {
    response.writeHead(200, { 'Content-Length': '1000' })
    response.write('{', () => response.destroy())
  },
}

for (const [what, lost] of Object.entries(LOST))
  Calls(`a submission that is ${what} is repeated with the same bytes`, async () => {
    const answers = { ...WELL, 'POST /proofs': [lost, lost, json({ proofStatus: 'VALID' })] }
    const { outcome, server } = await play(answers, { clock: movingClock() })
    assert.is(outcome.status, 'success')
    const sent = server.asked.filter(({ call }) => call === 'POST /proofs')
    assert.equal([sent.length, new Set(sent.map(({ body }) => body)).size], [3, 1])
  })

Calls('a submission without an answer within 20 s is repeated, for a minute in total', async () => {
  const waits: number[] = []
  let passedMs = 0
  const clock: Clock = {
    ...hastyClock(),
    now: () => passedMs,
    setTimeout(action, ms) {
      waits.push(ms)
      return setImmediate(() => {
        passedMs += ms
        action()
      })
    },
    clearTimeout: () => {},
  }
  const server = await startFakeServer('/irma', { 'POST /proofs': silent })
  const pointer = parseSessionPointer(JSON.stringify({ u: server.u, irmaqr: 'disclosing' }))
  const calls = createCalls(pointer, 'authorization', { fetch, clock })
  assert.match(
    await rejection(calls.submit({ path: '/proofs', body: '{}' })),
    /^SessionError: expected an answer from /,
  )
  assert.equal(waits, [20_000, 150, 20_000, 150, 19_700])
  await server.close()
})

Calls('the other calls are repeated too', async () => {
  const answers = { ...WELL, 'GET /': [unavailable('1'), json(connection(irma))] }
  assert.equal((await play(answers, { clock: movingClock() })).calls, ['GET /', 'GET /', 'POST /proofs'])
})

Calls('503 until the time limit of the submission is the outcome; no pause exceeds the limit', async () => {
  const clock = movingClock()
  const { outcome, calls } = await play({ ...WELL, 'POST /proofs': unavailable('7') }, { clock })
  assertFailed(outcome, 'server-error', /^the server answered 503 INTERNAL_ERROR$/)
  assert.is(calls.filter(call => call === 'POST /proofs').length, 9) // the last one after 56 s of 60 s
})

Calls('if a proxy keeps answering 502, the error has this status', async () => {
  const page: Answer = response => response.writeHead(502, { 'Retry-After': '7' }).end('<h1>Bad gateway</h1>')
  const { outcome } = await play({ ...WELL, 'GET /': page }, { clock: movingClock() })
  assertFailed(outcome, 'malformed-answer', /^expected status 200 or a remote error, got 502$/)
})

Calls('a DELETE that is answered 503 is not repeated', async () => {
  const clock = movingClock()
  const answers = { ...WELL, 'GET /': unavailable('7'), 'DELETE /': unavailable('2') }
  const { outcome, calls } = await play(answers, { clock })
  assertFailed(outcome, 'server-error', /^the server answered 503 INTERNAL_ERROR$/)
  assert.equal(calls, [...Array(9).fill('GET /'), 'DELETE /'])
})

const LEAVING: Readonly<Record<string, (stop: AbortController) => Promise<Consent>>> = {
  refuses: async () => ({ answer: 'refuse' }),
  'walks away'(stop) {
    stop.abort()
    return new Promise(() => {}) // the question stays open
  },
}

for (const [leaves, consent] of Object.entries(LEAVING)) {
  Calls(`a user who ${leaves} does not wait for a busy server`, async () => {
    const stop = new AbortController()
    const clock = hastyClock(0) // no pause ends
    const handlers = { consent: () => consent(stop), signal: stop.signal }
    const { outcome, calls } = await play({ ...WELL, 'DELETE /': unavailable('2') }, { clock, handlers })
    assert.is(outcome.status, 'cancelled')
    assert.equal(calls, ['GET /', 'DELETE /'])
  })
  Calls(`a user who ${leaves} waits at most 4 s for a silent server`, async () => {
    const stop = new AbortController()
    const waits: number[] = []
    let isLeaving = false
    const clock: Clock = {
      ...hastyClock(),
      setTimeout: (action, ms) => (isLeaving && waits.push(ms) ? setImmediate(action) : {}),
      clearTimeout: () => {},
    }
    const handlers = {
      consent() {
        isLeaving = true
        return consent(stop)
      },
      signal: stop.signal,
    }
    const { outcome } = await play({ ...WELL, 'DELETE /': silent }, { clock, handlers })
    assert.is(outcome.status, 'cancelled')
    assert.equal(waits, [4_000])
  })
}

Calls('a user who walks away does not wait for the end of a pause', async () => {
  const stop = new AbortController()
  const clock: Clock = {
    ...hastyClock(0), // no pause ends
    setTimeout: (_, ms) => (ms === 5_000 ? setImmediate(() => stop.abort()) : {}),
    clearTimeout: () => {},
  }
  const server = await startFakeServer('/irma', { ...WELL, 'GET /': unavailable('5') })
  const pointer = parseSessionPointer(JSON.stringify({ u: server.u, irmaqr: 'disclosing' }))
  const calls = createCalls(pointer, 'authorization', { fetch, clock, signal: stop.signal })
  assert.is(await rejection(calls.connect()), 'CancelledError: ')
  await server.close()
})

Calls('after a remote error the call is not repeated, and the session ends', async () => {
  const error = json({ status: 403, error: 'UNEXPECTED_REQUEST', description: 'd', message: '<b>m</b>' }, 403)
  const { outcome, calls } = await play({ ...WELL, 'GET /': error })
  assert.equal(outcome, {
    status: 'failed',
    reason: 'server-error',
    message: 'the server answered 403 UNEXPECTED_REQUEST',
    remote: { status: 403, type: 'UNEXPECTED_REQUEST' },
    clientReturnUrl: null,
  })
  assert.equal(calls, ['GET /', 'DELETE /'])
})

Calls('a call ends after 20 s', async () => {
  const { outcome } = await play({ ...WELL, 'GET /': silent }, { clock: { ...hastyClock(20_000) } })
  assertFailed(outcome, 'transport', /expected an answer from /)
})

Calls('redirects are not followed', async () => {
  const away: Answer = response => response.writeHead(302, { Location: '/irma/session/other/' }).end()
  const { outcome, calls } = await play({ ...WELL, 'GET /': away })
  assertFailed(outcome, 'malformed-answer', /expected status 200 or a remote error, got 302/)
  assert.equal(calls, ['GET /', 'DELETE /'])
})

Calls('an answer of more than 16 MiB is not read', async () => {
  const endless: Answer = response => {
    response.writeHead(200)
    const chunk = Buffer.alloc(1 << 20, ' ')
    const more = (): void => void response.write(chunk, error => error ?? more())
    more()
  }
  for (const call of ['GET /', 'POST /proofs']) {
    const { outcome } = await play({ ...WELL, [call]: endless })
    assertFailed(outcome, 'malformed-answer', /at most 16777216 bytes/)
  }
})

Calls('an answer that is not UTF-8 is malformed', async () => {
  const latin: Answer = response =>
    response.end(Buffer.from('{"proofStatus":"VALID","note":"\u00e9"}', 'latin1'))
  const { outcome } = await play({ ...WELL, 'POST /proofs': latin })
  assertFailed(outcome, 'malformed-answer', /^expected an answer in UTF-8, got other bytes$/)
})

Calls('plain HTTP is refused without developer mode, on localhost too, and nothing is sent', async () => {
  const plain = await newWallet([], false)
  const server = await startFakeServer('/irma', WELL)
  const pointer = JSON.stringify({ u: server.u, irmaqr: 'disclosing' })
  const outcome = await answerSession({ ...deps, wallet: plain, fetch, clock: hastyClock() }, pointer, agree)
  assertFailed(outcome, 'insecure', /plain HTTP needs developer mode/)
  assert.equal(server.asked, [])
  await server.close()
  await plain.close()
})

Calls('an invalid pointer is an outcome, and not an exception', async () => {
  const outcome = await answerSession({ ...deps, wallet, fetch, clock: hastyClock() }, 'hello', agree)
  assertFailed(outcome, 'invalid-pointer', /session pointer: expected JSON or a link around it/)
})

Calls.after(() => wallet.close())
Calls.run()
