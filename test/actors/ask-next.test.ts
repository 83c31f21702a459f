/** The effect `askNext` (spec/decisions#chain; spec/session-server#15). @module */

import { createPublicKey } from 'node:crypto'
import { compactVerify } from 'jose'
import * as assert from 'uvu/assert'
import { progressOf } from '../../actors/effects/progress.ts'
import { type OutgoingAnswer, OutgoingError } from '../../ports/outgoing.ts'
import { UnavailableError } from '../../protocol/errors.ts'
import { storeRequest } from '../../protocol/request.ts'
import { suite } from '../suite.ts'
import { asking, askNextSession } from './asked-next.ts'
import { there } from './authority.ts'
import { claimedSession, DISCLOSING, finalOutcome, ISSUING, NOW, SHOP, SIGNER } from './claimed-sessions.ts'

const URL_OF_NEXT = 'https://shop.example/next?token=secret'
const PARENT = { request: DISCLOSING, nextSession: { url: URL_OF_NEXT } }
const NO_MORE: OutgoingAnswer = { status: 204, text: '' }

const Next = suite('effect: askNext')

Next('the posted result has the status DONE and is VALID; its key names the session', async () => {
  const row = claimedSession(PARENT, 'askingNext')
  const { asked } = await askNextSession(row, NO_MORE)
  assert.equal(
    asked.map(({ url, message }) => [url, message.contentType, message.idempotencyKey]),
    [[URL_OF_NEXT, 'application/json; charset=UTF-8', row.id]],
  )
  const { disclosed, ...rest } = JSON.parse(asked[0]?.message.body ?? '')
  assert.equal(rest, {
    token: row.sentToken,
    status: 'DONE',
    type: 'disclosing',
    proofStatus: 'VALID',
  })
  assert.is(disclosed[0][0].rawvalue, 'yes')
})

Next(
  'in profile irma the posted result has the status CONNECTED, as the session has it (chain)',
  async () => {
    const row = { ...claimedSession(PARENT, 'askingNext'), profile: 'irma' as const }
    assert.is(
      JSON.parse((await askNextSession(row, NO_MORE)).asked[0]?.message.body ?? '').status,
      'CONNECTED',
    )
  },
)

Next('each repetition has the same key', async () => {
  const row = claimedSession(PARENT, 'askingNext')
  const again = { ...row, version: 9, claim: null }
  const keys = [(await askNextSession(row, NO_MORE)).asked, (await askNextSession(again, NO_MORE)).asked]
  assert.is(keys[0]?.[0]?.message.idempotencyKey, keys[1]?.[0]?.message.idempotencyKey)
})

Next('the post and the next session belong to the trace of the request that began the session', async () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const row = claimedSession(PARENT, 'askingNext')
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`
  const request = storeRequest({ ...row.request.value, traceparent })
  const { asked, outcome } = await askNextSession({ ...row, request }, asking(PARENT))
  assert.match(asked[0]?.message.traceparent ?? '', new RegExp(`^00-${trace}-(?!00f067aa)[0-9a-f]{16}-01$`))
  assert.is(finalOutcome(outcome).opens?.columns.request.value.traceparent, traceparent)
  const without = await askNextSession(row, asking(PARENT))
  assert.match(without.asked[0]?.message.traceparent ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]$/)
  assert.is(finalOutcome(without.outcome).opens?.columns.request.value.traceparent, undefined)
})

Next(
  'a next session with a type that the schemes do not have makes the server look for newer schemes, once',
  async () => {
    const row = claimedSession(PARENT, 'askingNext')
    const naming = (attribute: string) => asking({ ...DISCLOSING, disclose: [[[attribute]]] })
    const unknown = await askNextSession(row, naming('svc-demo.gov.idcard.nothing'))
    assert.equal([unknown.drawn, unknown.outcome.event], [['newer schemes'], { type: 'server.failed' }])
    const unallowed = await askNextSession(row, naming('svc-demo.uni.student.nothing'))
    assert.equal([unallowed.drawn, unallowed.outcome.event], [[], { type: 'server.failed' }])
  },
)

Next('with a key to sign results, the posted result is a JWT', async () => {
  const { asked } = await askNextSession(claimedSession(PARENT, 'askingNext'), NO_MORE, {
    resultSigner: SIGNER,
  })
  const { body, contentType } = asked[0]?.message ?? { body: '', contentType: '' }
  assert.is(contentType, 'text/plain; charset=UTF-8')
  const { payload } = await compactVerify(body, createPublicKey(SIGNER.publicKeyPem))
  const claims = JSON.parse(Buffer.from(payload).toString())
  assert.equal(
    [claims.iss, claims.sub, claims.iat, claims.exp, claims.status, claims.proofStatus],
    ['svcserver', 'verification_result', NOW / 1_000, NOW / 1_000 + 120, 'DONE', 'VALID'],
  )
})

Next('204: there is no next session, and the session ends as a session without a chain does', async () => {
  const { event, answer, columns, opens } = finalOutcome(
    (await askNextSession(claimedSession(PARENT, 'askingNext'), NO_MORE)).outcome,
  )
  assert.equal([event, opens], [{ type: 'server.askedNext' }, undefined])
  assert.is(answer.body, '{"proofStatus":"VALID"}')
  assert.is(columns.result?.value.nextSession, undefined)
})

Next('200: the next session is opened with this one, by the same requestor and frontend', async () => {
  const row = claimedSession(PARENT, 'askingNext')
  const { outcome, drawn } = await askNextSession(row, asking({ ...PARENT, timeout: 60 }))
  const { answer, columns, opens } = finalOutcome(outcome)
  assert.ok(opens)
  assert.equal(drawn, ['token', 'token', 'nonce'])
  assert.equal(
    [
      opens.columns.frontendTokenHash,
      opens.columns.requestor,
      opens.columns.profile,
      opens.columns.pairingCode,
    ],
    [row.frontendTokenHash, 'shop', 'svc', null],
  )
  assert.equal([opens.timeoutMs, opens.hasNextSession, opens.issues], [60_000, true, false])
  const { clientToken, requestorToken } = opens.columns
  assert.equal(JSON.parse(answer.body), {
    proofStatus: 'VALID',
    nextSession: { u: `https://server.example/svc/session/${clientToken}`, svcqr: 'disclosing' },
  })
  const told = columns.result?.value.nextSession
  assert.equal(told, { clientToken, requestorToken, type: 'disclosing', host: '' })
})

Next(
  'attributes that this session disclosed must be disclosed again in the next one, with the same values',
  async () => {
    const { outcome } = await askNextSession(claimedSession(PARENT, 'askingNext'), asking(ISSUING))
    const { opens } = finalOutcome(outcome)
    const { implicitDisclose, request } = there(opens).columns.request.value
    assert.equal(implicitDisclose, [[[{ type: 'svc-demo.gov.idcard.over18', value: 'yes', notNull: false }]]])
    assert.equal([request.disclose, opens?.issues], [[], true])
  },
)

Next(
  'a session that issues continues with `sign`: it gets no answer and opens no next session yet',
  async () => {
    const commitments = { n2: 5n, U: [2n ** 1000n] }
    const row = claimedSession({ ...PARENT, request: ISSUING }, 'askingNext', { commitments })
    const { outcome } = await askNextSession(row, asking(DISCLOSING))
    const { next, ...before } = progressOf({ progress: outcome.progress ?? null })
    assert.equal(before, { judgement: progressOf(row).judgement, commitments })
    assert.is(next?.columns.frontendTokenHash, row.frontendTokenHash)
  },
)

const WRONG: Record<string, readonly [OutgoingAnswer | Error, RegExp]> = {
  'no answer': [
    new OutgoingError('expected an answer within 8000 ms, got none'),
    /nextSession.url: expected an answer, got none/,
  ],
  'an error of the requestor': [
    { status: 500, text: 'secret' },
    /expected status 200 or 204, got another status/,
  ],
  'a redirect': [{ status: 302, text: '' }, /expected status 200 or 204, got another status/],
  'another success': [{ status: 201, text: JSON.stringify(DISCLOSING) }, /got another status/],
  'an empty text': [{ status: 200, text: '' }, /./],
  'no JSON': [{ status: 200, text: '{"secret' }, /./],
  'JSON that is no request': [asking({}), /./],
  'a signed request': [{ status: 200, text: 'eyJhbGciOiJIUzI1NiJ9.e30.c2VjcmV0' }, /./],
  'a request for attributes that the requestor may not ask for': [
    asking({ ...DISCLOSING, disclose: [[['svc-demo.uni.studentcard.university']]] }),
    /next session not authorized: svc-demo.uni/,
  ],
  'a credential that the requestor may not issue': [
    asking({ ...ISSUING, credentials: [{ credential: 'svc-demo.gov.idcard', attributes: {} }] }),
    /next session not authorized: No issuer permissions/,
  ],
  'a signature that the requestor may not ask for': [
    asking({ ...DISCLOSING, '@context': 'https://svc.example/ld/request/signature/v2', message: 'm' }),
    /next session not authorized/,
  ],
  'a host that the requestor may not use': [
    asking({ ...DISCLOSING, host: 'other.example' }),
    /not authorized/,
  ],
  'an attribute that is in no scheme': [
    asking({ ...DISCLOSING, disclose: [[['svc-demo.gov.none.such']]] }),
    /./,
  ],
  'a callback to a text that is no address': [
    asking({ request: DISCLOSING, callbackUrl: 'secret.example' }),
    /callbackUrl: expected an http or https address/,
  ],
  'a next session without a URL': [asking({ request: DISCLOSING, nextSession: { url: '' } }), /empty URL/],
}
for (const [title, [answer, message]] of Object.entries(WRONG))
  Next(
    `${title}: NEXT_SESSION, which cancels; no session is opened, and the answer contains no secret`,
    async () => {
      const { outcome } = await askNextSession(claimedSession(PARENT, 'askingNext'), answer)
      const { event, answer: told, columns, opens } = finalOutcome(outcome)
      assert.equal([event, told.status, opens], [{ type: 'server.failed' }, 500, undefined])
      const error = JSON.parse(told.body)
      assert.is(error.error, 'NEXT_SESSION')
      assert.match(error.message, message)
      assert.not.match(told.body, 'secret')
      assert.is(
        columns.result?.text,
        `{"error":${told.body}}`,
        'the result has neither proof status nor attributes',
      )
    },
  )

Next('a next session over the bound of callbacks: NEXT_SESSION, and no session is opened', async () => {
  const refuse = async (): Promise<void> => {
    throw new UnavailableError('too many callbacks')
  }
  const row = claimedSession(PARENT, 'askingNext')
  const { outcome } = await askNextSession(row, asking({ request: DISCLOSING }), {}, refuse)
  const { answer: told, opens } = finalOutcome(outcome)
  assert.equal([told.status, opens], [500, undefined])
  assert.match(told.body, /"NEXT_SESSION".*too many callbacks/)
})

Next(
  'the next session has its own labels, host and return URL, with its own token in it (spec/interface#2.3)',
  async () => {
    const hostPerms = ['*.shop.example']
    const row = claimedSession(PARENT, 'askingNext')
    const own = { labels: { 0: { en: 'Adult?' } }, host: 'www.shop.example', augmentReturnUrl: true }
    const next = asking({ ...DISCLOSING, ...own, clientReturnUrl: 'https://shop.example/back?a=1' })
    const requestors = [{ ...SHOP, hostPerms }]
    const { outcome } = await askNextSession(row, next, { requestors, augmentClientReturnUrl: true })
    const { answer, opens } = finalOutcome(outcome)
    const { requestorToken, clientToken, request } = there(opens).columns
    const { request: started } = request.value
    assert.equal(started.labels, own.labels)
    assert.is(started.clientReturnUrl, `https://shop.example/back?a=1&token=${requestorToken}`)
    const { u } = JSON.parse(answer.body).nextSession
    assert.is(u, `https://www.shop.example/svc/session/${clientToken}`)
    const switchedOff = finalOutcome((await askNextSession(row, next, { requestors })).outcome)
    assert.match(switchedOff.answer.body, 'augmenting client return url not enabled')
    const hostile = asking({ ...DISCLOSING, clientReturnUrl: 'javascript:alert(1)' })
    assert.match(
      finalOutcome((await askNextSession(row, hostile)).outcome).answer.body,
      'clientReturnUrl: expected a URL',
    )
    const tooLong = await askNextSession(row, next, { requestors, maxClientReturnUrl: 28 })
    assert.match(finalOutcome(tooLong.outcome).answer.body, 'clientReturnUrl: expected at most 28 characters')
  },
)

Next(
  'a requestor that was removed from the settings has only the permissions of all requestors',
  async () => {
    const row = claimedSession(PARENT, 'askingNext')
    const requestors = [{ ...SHOP, name: 'another' }]
    const refused = finalOutcome((await askNextSession(row, asking(DISCLOSING), { requestors })).outcome)
    assert.match(refused.answer.body, 'next session not authorized')
    const permissions = {
      disclosePerms: ['*'],
      signPerms: [],
      issuePerms: [],
      revokePerms: [],
      hostPerms: [],
    }
    const allowed = finalOutcome(
      (await askNextSession(row, asking(DISCLOSING), { requestors, permissions })).outcome,
    )
    assert.ok(allowed.opens)
  },
)

Next('a claim without a checked submission is an internal error', () => {
  const unchecked = () => progressOf({ progress: null })
  assert.throws(unchecked, /expected a claim with progress, got one without/)
})

Next('an internal error is no outcome: it is thrown, and voids the claim', async () => {
  const asked = askNextSession(claimedSession(PARENT, 'askingNext'), new TypeError('a bug'))
  await asked.then(
    () => assert.unreachable(),
    error => assert.is(String(error), 'TypeError: a bug'),
  )
})

Next.run()
