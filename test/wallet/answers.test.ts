/** Checks of a server's answers (spec/interface#2.9, #9). @module */
import * as assert from 'uvu/assert'
import { PROFILES } from '../../protocol/profiles.ts'
import { suite } from '../suite.ts'
import { type Answer, json, text } from './fake-server.ts'
import { assertFailed, connection, irma, play, requestOf, WELL, wallet } from './play.ts'

const Answers = suite('answers that break the protocol')

const REFUSED: readonly (readonly [what: string, answer: Answer, reason: string, message: RegExp])[] = [
  ['no JSON', text('<html>'), 'malformed-answer', /JSON: expected a value/],
  ['another JSON value', json('VALID'), 'malformed-answer', /client session request: expected an object/],
  ['204', text('', 204), 'malformed-answer', /got 204/],
  ['a page with an error status', text('Not here', 500, 'text/html'), 'malformed-answer', /got 500/],
  [
    'an error type with control characters',
    json({ error: 'BAD\u001b[31m' }, 400),
    'malformed-answer',
    /got 400/,
  ],
  ['another context', json({ ...connection(irma), '@context': 'x' }), 'malformed-answer', /@context/],
  [
    'a version not offered',
    json({ ...connection(irma), protocolVersion: '2.9' }),
    'protocol-version',
    /2\.8/,
  ],
  [
    'no request',
    json(connection(irma, { request: undefined })),
    'malformed-answer',
    /request: expected an object/,
  ],
  [
    'unknown pairing',
    json(connection(irma, { options: { pairingMethod: 'nfc' } })),
    'malformed-answer',
    /pairing/,
  ],
  [
    'an invalid pairing code',
    json(connection(irma, { options: { pairingMethod: 'pin', pairingCode: '12345' } })),
    'malformed-answer',
    /a code of four digits/,
  ],
]

for (const [what, answer, reason, message] of REFUSED)
  Answers(`${what} ends the session`, async () => {
    const { outcome, calls } = await play({ ...WELL, 'GET /': answer })
    assertFailed(outcome, reason, message)
    assert.equal(calls, ['GET /', 'DELETE /'])
  })

const REFUSED_REQUESTS: readonly (readonly [
  what: string,
  changes: object,
  reason: string,
  message: RegExp,
])[] = [
  ['without nonce', { nonce: undefined }, 'malformed-answer', /nonce: expected Base64/],
  ['with a nonce of 0', { nonce: '' }, 'malformed-answer', /nonce: expected a number above 0/],
  ['with a large nonce', { nonce: `/${'A'.repeat(43)}` }, 'malformed-answer', /nonce: .* at most 256 bits/],
  ['with another context number', { context: 'Ag==' }, 'malformed-answer', /context: expected 1/],
  ['of another version', { protocolVersion: '2.7' }, 'protocol-version', /2\.8/],
  ['of another host', { host: 'shop.example.test' }, 'host-mismatch', /one for another host/],
  [
    'in the old form',
    { '@context': '', type: 'disclosing', content: [{ label: 'l', attributes: ['a.b.c.d'] }] },
    'malformed-answer',
    /@context/,
  ],
  ['without attributes', { disclose: undefined }, 'malformed-answer', /./],
  ['with a malformed id', { disclose: [[['x']]] }, 'malformed-answer', /./],
  [
    'that is huge',
    { disclose: [[['svc-demo.fast.note']], Array.from({ length: 3000 }, () => [])] },
    'malformed-answer',
    /at most 3000 parts/,
  ],
  [
    'of another type than its pointer',
    { '@context': 'https://irma.app/ld/request/signature/v2', message: 'm' },
    'malformed-answer',
    /expected a request of type disclosing, got signing/,
  ],
]

for (const [what, changes, reason, message] of REFUSED_REQUESTS)
  Answers(`a request ${what} ends the session`, async () => {
    const { outcome, calls } = await play({
      ...WELL,
      'GET /': json(connection(irma, { request: requestOf(irma, changes) })),
    })
    assertFailed(outcome, reason, message)
    assert.equal(calls, ['GET /', 'DELETE /'])
  })

for (const profile of [PROFILES.svc, irma]) {
  const { name } = profile
  const played = (changes: object, request: object = {}) =>
    play(
      { ...WELL, 'GET /': json(connection(profile, { request: requestOf(profile, request), ...changes })) },
      { profile },
    )

  Answers(`without options there is no pairing (2.9): profile ${name}`, async () => {
    assert.is((await played({ options: undefined })).outcome.status, 'success')
  })

  Answers(
    `the host of a request is compared ${name === 'svc' ? 'without' : 'with'} its port: ${name}`,
    async () => {
      const { outcome } = await played({}, { host: '127.0.0.1' })
      assert.is(outcome.status, name === 'svc' ? 'success' : 'failed')
      if (name === 'irma') assertFailed(outcome, 'host-mismatch', /one for another host/)
      assertFailed((await played({}, { host: '127.0.0.2' })).outcome, 'host-mismatch', /one for another host/)
    },
  )
}

Answers('a proof status other than VALID is a failure, and the session is cancelled', async () => {
  const { outcome, calls } = await play({ ...WELL, 'POST /proofs': json({ proofStatus: 'EXPIRED' }) })
  assert.equal(outcome, {
    status: 'failed',
    reason: 'not-valid',
    message: 'the server found the proofs EXPIRED',
    proofStatus: 'EXPIRED',
    clientReturnUrl: null,
  })
  assert.equal(calls.at(-1), 'DELETE /')
})

Answers('a malformed proof status is not shown to the user', async () => {
  const { outcome } = await play({ ...WELL, 'POST /proofs': json({ proofStatus: 'all fine, call 0900' }) })
  assertFailed(outcome, 'malformed-answer', /proofStatus: expected a word in capitals/)
})

Answers('the wallet adopts another context base from the answer of the server', async () => {
  const own = { ...irma, contextBase: 'https://id.example.test' }
  const { outcome } = await play({ ...WELL, 'GET /': json(connection(own)) })
  assert.is(outcome.status, 'success')
})

const RETURN_URLS: readonly (readonly [url: string, handedOn: string | null])[] = [
  ['https://shop.example.test/back?token=x', 'https://shop.example.test/back?token=x'],
  ['tel:+31000000', 'tel:+31000000'],
  ['shopapp://back', 'shopapp://back'],
  ['javascript:alert(1)', null],
  [' JavaScript:alert(1)', null],
  ['data:text/html,x', null],
  ['https://shop.example.test/\u001b[2J', null],
  ['https://shop.example.test/\nDisclosed: nothing', null],
  ['file:///etc/passwd', null],
  ['back', null],
  ['', null],
]

for (const [url, handedOn] of RETURN_URLS)
  Answers(`clientReturnUrl ${JSON.stringify(url)} is ${handedOn ? 'returned' : 'left out'}`, async () => {
    const request = requestOf(irma, { clientReturnUrl: url })
    const { outcome } = await play({ ...WELL, 'GET /': json(connection(irma, { request })) })
    assert.is(outcome.clientReturnUrl, handedOn)
  })

Answers('clientReturnUrl is returned for every kind of end', async () => {
  const request = requestOf(irma, { clientReturnUrl: 'https://shop.example.test/' })
  const asked = { ...WELL, 'GET /': json(connection(irma, { request })) }
  const refused = await play(asked, { handlers: { consent: async () => ({ answer: 'refuse' }) } })
  assert.equal(refused.outcome, { status: 'cancelled', clientReturnUrl: 'https://shop.example.test/' })
  const failed = await play({ ...asked, 'POST /proofs': json({ error: 'EXCEPTION' }, 500) })
  assert.is(failed.outcome.clientReturnUrl, 'https://shop.example.test/')
})

Answers.after(() => wallet.close())
Answers.run()
