/** The effect `check`, with a recorded submission and with invalid ones (spec/decisions#d16, #d23). @module */
import * as assert from 'uvu/assert'
import { check as checkEffect } from '../../actors/effects/check.ts'
import { cancellable } from '../../actors/effects/outcomes.ts'
import type { WorkCaller } from '../../actors/workers/queue.ts'
import { encodeAttribute } from '../../crypto/attribute.ts'
import { toBase64 } from '../../crypto/bytes.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequestText, storeRequest } from '../../protocol/request.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { rejection } from '../faults/rejection.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { bodyText, transcript } from '../protocol/recorded.ts'
import { type SettingsOfTest, settingsOfTest } from '../server/node-of-test.ts'
import { sessionRow } from '../stores/rows.ts'
import { suite } from '../suite.ts'
import { finalOutcome } from './claimed-sessions.ts'
import { NO_REVOCATION } from './no-revocation.ts'

const { exchanges, recordedAt } = transcript('disclosure-single-attribute', 'irma')
const stamped = transcript('signature-with-timestamp', 'irma')
const schemes = await loadSchemes(DEMO_SCHEMES)
const clock = { wallNow: () => recordedAt * 1_000 }

function recorded(method: string, end: RegExp, from = exchanges) {
  const found = from.find(({ request }) => request.method === method && end.test(request.path))
  return found ?? (assert.unreachable(`no ${method} in the transcript`) as never)
}

const submission = recorded('POST', /\/proofs$/)
const extended = parseSessionRequestText(bodyText(recorded('POST', /^\/session$/).request), PROFILES.irma)
const nonceIn = (from: typeof exchanges): string =>
  Object(Object(recorded('GET', /\/session\/\w+\/?$/, from).response?.body).request).nonce
const nonce = nonceIn(exchanges)

function submitted(changes: Partial<SessionRow> = {}, protocolVersion = '2.8'): SessionRow {
  return sessionRow('s', {
    snapshot: { value: { CONNECTED: 'checking' }, context: { protocolVersion } },
    request: storeRequest(extended),
    nonce,
    claimedBody: bodyText(submission.request),
    ...changes,
  })
}

/** @param verdict result of the verification of the proofs */
async function check(row: SessionRow, verdict: () => Promise<boolean>, changes: SettingsOfTest = {}) {
  const settings = settingsOfTest({ profile: 'irma', ...changes })
  const pool = { verify: verdict, timestampNonce }
  const services = { pool, isTrustedStamp: async () => false, noteFirstVersion: () => undefined }
  const effect = cancellable(
    settings,
    checkEffect({ schemesAsOf, clock, revocation: NO_REVOCATION, settings, ...services }),
  )
  return finalOutcome(await effect(row, new AbortController().signal))
}
const valid = async () => true
const schemesAsOf = async () => schemes
const timestampNonce = async () => new Uint8Array(32)
/** Dependencies that the tests of the pool share. */
const FACTS = {
  schemesAsOf,
  clock,
  revocation: NO_REVOCATION,
  isTrustedStamp: async () => false,
  noteFirstVersion: () => undefined,
}

const Check = suite('effect: check')

Check('a recorded submission: the recorded answer, and its attributes are the outcome', async () => {
  const { event, answer, columns } = await check(submitted(), valid)
  assert.equal(
    [event.type, answer.status, answer.body],
    ['server.checked', 200, JSON.stringify(submission.response?.body)],
  )
  assert.match(columns.result?.text ?? '', /"proofStatus":"VALID","disclosed":\[\[\{/)
})

Check('proofs that do not verify: INVALID, which is a normal outcome (spec/decisions#d23)', async () => {
  const { event, answer } = await check(submitted(), async () => false)
  assert.equal([event.type, answer.body], ['server.checked', '{"proofStatus":"INVALID"}'])
})

Check('below version 2.7 the answer is the bare proof status', async () => {
  assert.is((await check(submitted({}, '2.6'), valid)).answer.body, '"VALID"')
})

Check(
  'a body that cannot be read is an outcome that cancels, and the answer quotes no text of it',
  async () => {
    const { event, answer, columns } = await check(submitted({ claimedBody: '{"proofs": secret' }), valid)
    assert.equal([event.type, answer.status], ['server.failed', 400])
    assert.match(answer.body, /"error":"MALFORMED_INPUT"/)
    assert.equal(columns.result?.text, `{"error":${answer.body}}`)
    assert.not.match(answer.body, 'secret')
  },
)

Check('a verbose server puts the stack trace into its answer, and never into the result', async () => {
  const { answer, columns } = await check(submitted({ claimedBody: '' }), valid, { verbosity: 1 })
  assert.match(answer.body, /"stacktrace":"/)
  assert.not.match(columns.result?.text ?? '', 'stacktrace')
})

Check('a text that may be a hash is INVALID where long_values is refuse (spec/decisions#d25)', async () => {
  const long = toBase64(encodeAttribute('a text of twenty-five by.'))
  const claimedBody = bodyText(submission.request).replace(/("a_disclosed":\{[^}]*"4":")[^"]*/, `$1${long}`)
  assert.match(claimedBody, long)
  const statusWith = async (changes: SettingsOfTest) =>
    (await check(submitted({ claimedBody }), valid, changes)).answer.body
  assert.is(await statusWith({}), '{"proofStatus":"VALID"}')
  assert.is(await statusWith({ longValues: 'refuse' }), '{"proofStatus":"INVALID"}')
})

Check('the arithmetic gets the signal of the claim and the name of the requestor', async () => {
  const claim = new AbortController()
  const given: unknown[] = []
  const pool = {
    verify: async (_: unknown, asked?: WorkCaller) => given.push(asked) > 0,
    timestampNonce,
  }
  const settings = settingsOfTest({ profile: 'irma' })
  const parts = { ...FACTS, settings }
  await checkEffect({ ...parts, pool })({ ...submitted(), requestor: 'shop' }, claim.signal)
  assert.equal(given, [{ requestor: 'shop', signal: claim.signal }])
})

Check(
  'the calculation of the nonce of a timestamp also gets the requestor and the signal of the claim',
  async () => {
    const claim = new AbortController()
    const given: unknown[] = []
    const pool = {
      verify: async () => assert.unreachable('the timestamp is another one') as never,
      async timestampNonce(_: unknown, asked?: WorkCaller) {
        given.push(asked)
        return new Uint8Array(32)
      },
    }
    const settings = settingsOfTest({ profile: 'irma' })
    const parts = { ...FACTS, settings }
    const asked = bodyText(recorded('POST', /^\/session$/, stamped.exchanges).request)
    const row = submitted({
      profile: 'irma',
      requestor: 'shop',
      nonce: nonceIn(stamped.exchanges),
      request: storeRequest(parseSessionRequestText(asked, PROFILES.irma)),
      claimedBody: bodyText(recorded('POST', /\/proofs$/, stamped.exchanges).request),
    })
    await checkEffect({ ...parts, pool })(row, claim.signal)
    assert.equal(given, [{ requestor: 'shop', signal: claim.signal }])
  },
)

Check('a thread that dies is no outcome: it is thrown, and voids the claim', async () => {
  const dying = check(submitted(), () => Promise.reject(new Error('the thread died')))
  assert.is(await rejection(dying), 'Error: the thread died')
})

Check.run()
