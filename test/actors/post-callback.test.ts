/** One attempt to post a callback (spec/session-server#14, spec/decisions#d22). @module */

import { createPublicKey } from 'node:crypto'
import { compactVerify } from 'jose'
import * as assert from 'uvu/assert'
import { owedCallback, restoreMessage } from '../../actors/deliveries/owed-callback.ts'
import { type CallbackSettings, postCallback } from '../../actors/deliveries/post-callback.ts'
import { OutgoingError, type OutgoingMessage } from '../../ports/outgoing.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { createTraces } from '../../ports/traces.ts'
import { restoreRequest } from '../../protocol/request.ts'
import { restoreOutcome } from '../../sessions/result.ts'
import { settingsOfTest } from '../server/node-of-test.ts'
import { sessionRow } from '../stores/rows.ts'
import { suite } from '../suite.ts'
import { SIGNER } from './claimed-sessions.ts'

const ADDRESS = 'https://shop.example/done?token=secret'
const NOW = 1_700_000_000_000
const disclosed = [[{ rawvalue: 'yes', value: null, id: 'a.b.c.d', status: 'PRESENT' }]]
const RESULT = JSON.stringify({ proofStatus: 'VALID', disclosed })

function ended(callbackUrl: string) {
  const request = JSON.stringify({
    callbackUrl,
    validitySec: 120,
    isLegacy: false,
    request: { type: 'disclosing' },
  })
  return sessionRow('s', {
    status: 'DONE',
    request: restoreRequest(request),
    result: restoreOutcome(RESULT),
  })
}

async function attempt(
  answer: number | Error,
  changes: Partial<CallbackSettings> = {},
  callbackUrl = ADDRESS,
  retryAfter: string | null = null,
) {
  const clock = createSimulatedClock(NOW)
  const sent: (OutgoingMessage & { readonly url: string })[] = []
  const post = postCallback({
    clock,
    traces: createTraces(count => new Uint8Array(count).fill(7)),
    outgoing: {
      async notify(url, message) {
        sent.push({ url, ...message })
        if (answer instanceof Error) throw answer
        return { status: answer, retryAfter }
      },
    },
    settings: {
      ...settingsOfTest({ allowUnsignedCallbacks: true, callbackBackoff: { firstMs: 1, maxMs: 2 } }),
      ...changes,
    },
  })
  const row = { ...owedCallback(ended(callbackUrl), NOW), state: 'sending', attempts: 3 } as const
  const again = async () => post(row, new AbortController().signal)
  const { event, words } = await again()
  const askedMs = 'askedMs' in event ? event.askedMs : undefined
  return { event: event.type, askedMs, words, sent, clock, again, row }
}

const Post = suite('effect: post a callback')

Post('without a key, the result goes as JSON to the address as given (spec/decisions#d22)', async () => {
  const { sent, event, row } = await attempt(204)
  assert.equal(sent, [
    {
      url: ADDRESS,
      contentType: 'application/json; charset=UTF-8',
      body: `{"token":"requestor-s","status":"DONE","type":"disclosing","proofStatus":"VALID","disclosed":${JSON.stringify(disclosed)}}`,
      idempotencyKey: row.id,
      traceparent: `00-${'07'.repeat(16)}-${'07'.repeat(8)}-02`,
    },
  ])
  assert.is(event, 'receiver.accepted')
  assert.is(row.host, 'shop.example')
})

Post('with a key, each attempt has a new JWT and the same `Idempotency-Key`', async () => {
  const { sent, clock, again } = await attempt(500, { resultSigner: SIGNER })
  clock.advance(5_000)
  await again()
  const issuedAt = []
  for (const { body, contentType } of sent) {
    assert.is(contentType, 'text/plain; charset=UTF-8')
    const { payload } = await compactVerify(body, createPublicKey(SIGNER.publicKeyPem))
    const { iat, exp, status } = JSON.parse(new TextDecoder().decode(payload))
    assert.equal([exp - iat, status], [120, 'DONE'])
    issuedAt.push(iat)
  }
  assert.equal(issuedAt, [NOW / 1_000, NOW / 1_000 + 5])
  assert.is(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size, 1)
})

Post('the `Idempotency-Key` differs from that of a nextSession post', async () => {
  const { row } = await attempt(204)
  assert.is(row.id === row.owner, false)
})

Post('every 2xx is an acceptance, every other answer a failure', async () => {
  for (const status of [200, 201, 202, 204, 299])
    assert.is((await attempt(status)).event, 'receiver.accepted')
  for (const status of [199, 300, 301, 307, 400, 404, 500, 503])
    assert.equal(await attempt(status).then(({ event, words }) => [event, words]), [
      'receiver.failed',
      `answered ${status}`,
    ])
  const none = await attempt(new OutgoingError('expected an answer, got none'))
  assert.equal([none.event, none.words], ['receiver.failed', 'expected an answer, got none'])
  const refused = await attempt(new OutgoingError('expected an answer, got none', 'ECONNREFUSED'))
  assert.is(refused.words, 'expected an answer, got none (ECONNREFUSED)')
})

Post('410 ends the delivery', async () => {
  const { event, words } = await attempt(410)
  assert.equal([event, words], ['server.refused', 'answered 410'])
})

Post(
  '`Retry-After` of 429 and 503 sets the time of the next attempt; other statuses have no such effect',
  async () => {
    const asked = async (status: number, retryAfter: string | null) =>
      (await attempt(status, {}, ADDRESS, retryAfter)).askedMs
    const inAnHour = new Date(NOW + 3_600_000).toUTCString()
    assert.equal(
      [
        await asked(429, '3600'),
        await asked(503, inAnHour),
        await asked(503, null),
        await asked(503, 'soon'),
      ],
      [3_600_000, 3_600_000, 0, 0],
    )
    assert.equal([await asked(500, '3600'), await asked(404, '3600')], [undefined, undefined])
  },
)

Post('an internal error is thrown, and does not count as a failure of the receiver', async () => {
  const bug = await attempt(new TypeError('a bug')).catch(String)
  assert.is(bug, 'TypeError: a bug')
})

Post('an address that cannot get a post ends the delivery', async () => {
  for (const url of ['', 'nonsense', 'mailto:secret@shop.example', 'https://user:secret@shop.example/']) {
    const { event, sent, words, row } = await attempt(204, {}, url)
    assert.equal([event, sent, row.host], ['server.refused', [], ''])
    assert.is(words, 'expected an http or https address without a user name, got another text')
  }
})

Post('a port that HTTP clients block ends the delivery at once', async () => {
  const { event, sent, words } = await attempt(204, {}, 'https://shop.example:6000/secret')
  assert.equal([event, sent], ['server.refused', []])
  assert.match(words, /^expected a port that HTTP clients call, got one /)
})

Post('without a key, no result is sent if unsigned callbacks are not allowed', async () => {
  const { event, sent } = await attempt(204, { allowUnsignedCallbacks: false })
  assert.equal([event, sent], ['receiver.failed', []])
  const signed = await attempt(204, { allowUnsignedCallbacks: false, resultSigner: SIGNER })
  assert.equal([signed.event, signed.sent.length], ['receiver.accepted', 1])
})

Post('a request that cannot be read owes a callback without an address', () => {
  const request = restoreRequest('{"secret')
  const { message, host } = owedCallback(sessionRow('s', { status: 'CANCELLED', request }), NOW)
  assert.equal([message, host], [null, ''])
  assert.is(restoreMessage({ message, cause: 'CANCELLED' }), null)
})

Post('apart from its message, a delivery contains no secret (spec/laws#6)', async () => {
  const { row } = await attempt(204)
  const { message, ...facts } = row
  for (const secret of ['requestor-s', 'client-s', 'secret', '/done', 'yes'])
    assert.not.match(JSON.stringify(facts), secret)
  assert.match(message ?? '', 'requestor-s')
})

Post.run()
