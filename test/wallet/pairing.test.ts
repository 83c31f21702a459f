/** Pairing, and decisions of the user: the parts of a session that wait for a person (spec/interface#5.3, #6, #2.8). @module */
import * as assert from 'uvu/assert'
import type { ConsentQuestion, SessionHandlers } from '../../libraries/wallet/session.ts'
import { suite } from '../suite.ts'
import { type Answer, broken, json, stream, text } from './fake-server.ts'
import { agree, assertFailed, irma, PAIRING, play, requestOf, WELL, wallet } from './play.ts'

const Pairing = suite('pairing')

Pairing('the code is shown once, and after CONNECTED on the stream the session continues', async () => {
  const codes: string[] = []
  const { outcome, calls, server } = await play(
    { ...PAIRING, 'GET /statusevents': stream('event: open\n\n', ': comment\n\ndata: "CONNECTED"\n\n') },
    { handlers: { ...agree, pairing: code => codes.push(code) } },
  )
  assert.is(outcome.status, 'success')
  assert.equal(codes, ['0042'])
  assert.equal(calls, ['GET /', 'GET /statusevents', 'GET /status', 'GET /request', 'POST /proofs'])
  const { headers } = server.asked[1] ?? {}
  assert.is(headers?.accept, 'text/event-stream')
  assert.is(headers?.authorization, undefined)
})

Pairing('an event that arrives in pieces, or with CR, is read', async () => {
  const pieces = stream('event: op', 'en\r\n\r\nda', 'ta: "CONN', 'ECTED"\r\n', '\r\n')
  assert.is((await play({ ...PAIRING, 'GET /statusevents': pieces })).outcome.status, 'success')
})

Pairing('an event with a name, an id, several data lines or CR alone is read', async () => {
  for (const text of [
    'event: status\ndata: "CONNECTED"\n\n',
    'id: 1\ndata:\ndata: "CONNECTED"\n\n',
    ':\r:\rdata: "CONNECTED"\r\r',
    'data:\n\ndata: "CONNECTED"\n\n',
  ])
    assert.is((await play({ ...PAIRING, 'GET /statusevents': stream(text) })).outcome.status, 'success', text)
})

Pairing('if another status comes first, the session ends and is cancelled', async () => {
  for (const status of ['CANCELLED', 'TIMEOUT', 'DONE', 'PAIRING']) {
    const { outcome, calls } = await play({
      ...PAIRING,
      'GET /statusevents': stream(`data: "${status}"\n\n`),
    })
    assertFailed(outcome, 'pairing-rejected', /the code was not confirmed/)
    assert.equal(calls, ['GET /', 'GET /statusevents', 'GET /status', 'DELETE /'])
  }
})

Pairing(
  'once the stream is open, the wallet asks for the status, which may have changed before',
  async () => {
    const confirmed = await play({
      ...PAIRING,
      'GET /statusevents': stream(),
      'GET /status': json('CONNECTED'),
    })
    assert.is(confirmed.outcome.status, 'success')
    const cancelled = await play({
      ...PAIRING,
      'GET /statusevents': stream(),
      'GET /status': json('CANCELLED'),
    })
    assertFailed(cancelled.outcome, 'pairing-rejected', /not confirmed/)
  },
)

const brokenStream: Answer = response => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  response.write('event: open\n\ndata: ', () => response.destroy())
}

const NO_STREAM: readonly (readonly [what: string, answer: Answer])[] = [
  ['an error', json({ status: 500, error: 'SSE_DISABLED' }, 500)],
  ['a stream with another content type', text('data: "DONE"\n\n', 200, 'text/event-stream; charset=utf-8')],
  ['a connection that breaks', broken],
  ['a stream that ends', text('event: open\n\n', 200, 'text/event-stream')],
  ['a stream that breaks', brokenStream],
  ['a line without end', text(`data: ${'x'.repeat(20_000)}`, 200, 'text/event-stream')],
  ['an event without end', text('data: "CONNECTED"\n'.repeat(1_000), 200, 'text/event-stream')],
]

for (const [what, answer] of NO_STREAM)
  Pairing(`after ${what} the wallet asks for the status every second`, async () => {
    const status = [json('PAIRING'), json('PAIRING'), json('PAIRING'), json('CONNECTED')]
    const { outcome, calls } = await play({ ...PAIRING, 'GET /statusevents': answer, 'GET /status': status })
    assert.is(outcome.status, 'success')
    assert.is(calls.filter(call => call === 'GET /status').length, 4)
  })

Pairing('requests for the status survive a restart of the server, and end after a minute', async () => {
  const stops = { ...PAIRING, 'GET /statusevents': text('event: open\n\n', 200, 'text/event-stream') }
  const away = Array.from({ length: 9 }, () => broken) // each status is requested three times
  const back = await play({ ...stops, 'GET /status': [json('PAIRING'), ...away, json('CONNECTED')] })
  assert.is(back.outcome.status, 'success')
  const gone = await play({ ...stops, 'GET /status': [json('PAIRING'), broken] })
  assertFailed(gone.outcome, 'transport', /^expected an answer from /)
  assert.is(gone.calls.filter(call => call === 'GET /status').length, 1 + 3 * 60)
})

Pairing('a malformed status ends the session', async () => {
  const { outcome, calls } = await play({ ...PAIRING, 'GET /status': text('PAIRING') })
  assertFailed(outcome, 'malformed-answer', /expected a status as a JSON string/)
  assert.is(calls.at(-1), 'DELETE /')
})

Pairing('the user may walk away while the code is shown', async () => {
  const leaving = new AbortController()
  const handlers = { ...agree, pairing: () => setImmediate(() => leaving.abort()), signal: leaving.signal }
  const { outcome, calls } = await play({ ...PAIRING, 'GET /statusevents': stream() }, { handlers })
  assert.equal(outcome, { status: 'cancelled', clientReturnUrl: null })
  assert.is(calls.at(-1), 'DELETE /')
})

const Consent = suite('consent')

Consent('the question to the user has the host, the request and the candidates', async () => {
  const questions: ConsentQuestion[] = []
  const handlers: SessionHandlers = {
    consent: async question => {
      questions.push(question)
      return { answer: 'refuse' }
    },
  }
  const { outcome, calls, server } = await play(WELL, { handlers })
  assert.equal(outcome, { status: 'cancelled', clientReturnUrl: null })
  assert.equal(calls, ['GET /', 'DELETE /'])
  const [question] = questions
  assert.is(question?.requestorHost, new URL(server.u).host)
  assert.equal(question?.request.disclose, [
    [[{ type: 'svc-demo.fast.note.text', value: null, notNull: false }]],
  ])
  assert.equal(
    question?.candidates.items[0]?.candidates.map(({ attributes }) => attributes[0]?.value),
    ['hello', '', 'a'],
  )
})

Consent('an unsatisfiable request is shown too, and every answer but a refusal is an error', async () => {
  const request = requestOf(irma, { disclose: [[['svc-demo.gov.permit.kind']]] })
  const unsatisfiable = { ...WELL, 'GET /': json({ ...connectionWith(request) }) }
  const missing: unknown[] = []
  const refusing = await play(unsatisfiable, {
    handlers: {
      consent: async ({ candidates }) => {
        missing.push(candidates.isSatisfiable, candidates.items[0]?.missing)
        return { answer: 'refuse' }
      },
    },
  })
  assert.equal(missing, [false, [['svc-demo.gov.permit.kind']]])
  assert.is(refusing.outcome.status, 'cancelled')
  const { outcome, calls } = await play(unsatisfiable)
  assertFailed(outcome, 'invalid-choice', /expected one of 0 candidates/)
  assert.equal(calls, ['GET /', 'DELETE /'])
})

Consent('a handler that throws ends the session, and its error is thrown', async () => {
  const boom = new Error('screen broke')
  const asked: string[] = []
  const handlers = { consent: () => Promise.reject(boom) }
  const cancelled: Answer = response => {
    asked.push('DELETE')
    response.end()
  }
  try {
    await play({ ...WELL, 'DELETE /': cancelled }, { handlers })
    assert.unreachable()
  } catch (error) {
    assert.is(error, boom)
  }
  assert.equal(asked, ['DELETE'])
})

Consent('the user may walk away instead of answering, or before the question', async () => {
  const leaving = new AbortController()
  const never = {
    consent: () => new Promise<never>(() => setImmediate(() => leaving.abort())),
    signal: leaving.signal,
  }
  const { outcome, calls } = await play(WELL, { handlers: never })
  assert.equal(outcome, { status: 'cancelled', clientReturnUrl: null })
  assert.equal(calls, ['GET /', 'DELETE /'])
  const early = await play(WELL, { handlers: { ...agree, signal: AbortSignal.abort() } })
  assert.is(early.outcome.status, 'cancelled')
})

Consent('walking away after the proofs were sent changes nothing', async () => {
  const leaving = new AbortController()
  const late: Answer = response => {
    leaving.abort()
    json({ proofStatus: 'VALID' })(response)
  }
  const { outcome, calls } = await play(
    { ...WELL, 'POST /proofs': late },
    { handlers: { ...agree, signal: leaving.signal } },
  )
  assert.is(outcome.status, 'success')
  assert.equal(calls, ['GET /', 'POST /proofs'])
})

Consent('a cancellation that does not reach the server changes nothing for the user', async () => {
  const { outcome } = await play(
    { ...WELL, 'DELETE /': broken },
    { handlers: { consent: async () => ({ answer: 'refuse' }) } },
  )
  assert.is(outcome.status, 'cancelled')
})

function connectionWith(request: object): object {
  return {
    '@context': `${irma.contextBase}/ld/request/client/v1`,
    protocolVersion: '2.8',
    options: { pairingMethod: 'none' },
    request,
  }
}

Consent.after(() => wallet.close())
Pairing.run()
Consent.run()
