/** Sessions with a keyshare server that has faults on demand (spec/interface#4.5, #4.6; spec/keyshare-server#2.2, #6.4, #8.6, #17). @module */
import * as assert from 'uvu/assert'
import { answerSession } from '../../../libraries/wallet/session.ts'
import type { Wallet } from '../../../libraries/wallet/wallet.ts'
import type { SessionType } from '../../../protocol/request.ts'
import { suite } from '../../suite.ts'
import { assertFailed } from '../play.ts'
import { refusal } from './fake-keyshare.ts'
import { LOGIN, LOYALTY, MAIL, NOTE, PIN, registeredWallet, renew, startWorld, typing } from './registered.ts'

const LOG_IN = ['/users/verify_start', '/users/verify/pin_challengeresponse']
const GET_PS = '/api/v2/prove/getPs'
const PROVE = ['/api/v2/prove/getCommitments', '/api/v2/prove/getResponse']
const NUMBER = [[['svc-keyshare.shop.loyalty.number']]]

const world = await startWorld()
const { askedPaths, depsOf, keyshare, sessions, time } = world
const wallet = await registeredWallet(world)

async function play(type: SessionType, body: object, handlers = typing(), by: Wallet = wallet) {
  askedPaths()
  const session = await sessions.create(type, body)
  const outcome = await answerSession(depsOf(by), session.pointer, handlers)
  const { status, proofStatus } = await session.result()
  return { outcome, asked: askedPaths(), result: [status, proofStatus] }
}

const Sessions = suite('sessions with a keyshare server')
Sessions.before.each(() => {
  renew(world)
  wallet.tokens.clear()
})
Sessions.after(async () => {
  await wallet.close()
  await world.close()
})

Sessions(
  'a credential is issued: the PIN is asked for once, P comes from getPs, and the issuer gets the JWT',
  async () => {
    const handlers = typing(PIN)
    const { outcome, asked, result } = await play('issuing', { credentials: [LOYALTY] }, handlers)
    assert.is(outcome.status, 'success')
    assert.equal(asked, [...LOG_IN, GET_PS, ...PROVE])
    assert.equal(result, ['DONE', 'VALID'])
    assert.equal(handlers.asked, [null])
    assert.ok(wallet.credentials().some(({ type }) => type === LOYALTY.credential))
  },
)

Sessions(
  'a disclosure and a signature do not call getPs, and the sum of both responses is VALID',
  async () => {
    for (const [type, body] of [
      ['disclosing', { disclose: NUMBER }],
      ['signing', { disclose: NUMBER, message: 'yes' }],
    ] as const) {
      wallet.tokens.clear()
      const { outcome, asked, result } = await play(type, body, typing(PIN))
      assert.is(outcome.status, 'success')
      assert.equal(asked, [...LOG_IN, ...PROVE])
      assert.equal(result, ['DONE', 'VALID'])
    }
  },
)

Sessions('later sessions use the same token until it has less than a minute left', async () => {
  assert.is((await play('disclosing', { disclose: NUMBER }, typing(PIN))).outcome.status, 'success')
  time.aheadMs += 838_000
  assert.equal((await play('disclosing', { disclose: NUMBER })).asked, PROVE)
  time.aheadMs += 4_000
  const again = typing(PIN)
  assert.equal((await play('disclosing', { disclose: NUMBER }, again)).asked, [...LOG_IN, ...PROVE])
  assert.equal(again.asked, [null])
})

Sessions(
  'credentials of a scheme without a keyshare server may be in the same session, of every type',
  async () => {
    const both = await play('issuing', { credentials: [NOTE, LOYALTY] }, typing(PIN))
    assert.equal([both.outcome.status, both.result], ['success', ['DONE', 'VALID']])
    const disclose = [...NUMBER, [['svc-demo.fast.note.text']], [[`${LOGIN}.username`]]]
    const shown = await play('disclosing', { disclose })
    assert.equal([shown.outcome.status, shown.result], ['success', ['DONE', 'VALID']])
    const combined = await play('issuing', { disclose, credentials: [MAIL] })
    assert.equal([combined.outcome.status, combined.result], ['success', ['DONE', 'VALID']])
    const intoPlain = await play('issuing', { disclose: NUMBER, credentials: [NOTE] })
    assert.equal([intoPlain.outcome.status, intoPlain.result], ['success', ['DONE', 'VALID']])
    assert.equal(intoPlain.asked, PROVE)
  },
)

Sessions('the request names a key for each proof: disclosures first, the key that issues last', async () => {
  const disclose = [...NUMBER, [[`${LOGIN}.username`]]]
  await play('issuing', { disclose, credentials: [MAIL, MAIL] }, typing(PIN))
  const bodies = keyshare.asked.filter(({ path }) => path === '/api/v2/prove/getCommitments')
  const [shop, login] = ['svc-keyshare.shop-0', 'svc-keyshare.keyshare-0']
  assert.equal(JSON.parse(bodies.at(-1)?.body ?? '').keys, [shop, login, login, login])
})

Sessions('a session without any proof of a keyshare scheme calls no keyshare server', async () => {
  const { outcome, asked } = await play('disclosing', { disclose: [[['svc-demo.fast.note.text']]] })
  assert.equal([outcome.status, asked], ['success', []])
})

Sessions(
  'after a wrong PIN the user is asked again, with the remaining tries; the third one blocks',
  async () => {
    const right = typing('54321', '00000', PIN)
    assert.is((await play('disclosing', { disclose: NUMBER }, right)).outcome.status, 'success')
    assert.equal(right.asked, [null, 2, 1])
    wallet.tokens.clear()
    const wrong = typing('1', '2', '3')
    const { outcome, result } = await play('disclosing', { disclose: NUMBER }, wrong)
    assertFailed(outcome, 'pin-blocked', /takes no PIN for 60 s/)
    assert.is(outcome.status === 'failed' && outcome.blockedSec, 60)
    assert.is(result[0], 'CANCELLED')
    assert.is((await play('disclosing', { disclose: NUMBER }, typing(PIN))).outcome.status, 'success')
  },
)

Sessions('if the user gives no PIN, the session is cancelled', async () => {
  const { outcome, asked, result } = await play('disclosing', { disclose: NUMBER }, typing(null))
  assert.equal([outcome.status, asked, result[0]], ['cancelled', [], 'CANCELLED'])
})

Sessions('without a handler for the PIN the session fails and is cancelled at the server', async () => {
  const { pin: _, ...silent } = typing()
  const { outcome, result } = await play('disclosing', { disclose: NUMBER }, { ...silent, asked: [] })
  assertFailed(outcome, 'unsupported', /a PIN is needed/)
  assert.is(result[0], 'CANCELLED')
})

Sessions(
  'a login whose challenge the server has lost is tried three times, with the same signed request',
  async () => {
    keyshare.instead(LOG_IN[1] ?? '', refusal(409, 'MISSING_CHALLENGE'), refusal(409, 'MISSING_CHALLENGE'))
    const { outcome, asked } = await play('disclosing', { disclose: NUMBER }, typing(PIN))
    assert.equal([outcome.status, asked], ['success', [...LOG_IN, ...LOG_IN, ...LOG_IN, ...PROVE]])
    const starts = keyshare.asked.filter(({ path }) => path === LOG_IN[0]).slice(-3)
    assert.is(new Set(starts.map(({ body }) => body)).size, 1)
    wallet.tokens.clear()
    const lost = refusal(409, 'MISSING_CHALLENGE')
    keyshare.instead(LOG_IN[1] ?? '', lost, lost, lost)
    const failed = await play('disclosing', { disclose: NUMBER }, typing(PIN))
    assertFailed(failed.outcome, 'keyshare-error', /has no challenge for this login any more \(409/)
    assert.is(failed.asked.length, 6)
  },
)

Sessions(
  'a proof whose commitment the server has lost is tried three times, with a new draft each time',
  async () => {
    const lost = refusal(409, 'MISSING_COMMITMENT')
    keyshare.instead('/api/v2/prove/getResponse', lost, lost)
    const { outcome, asked } = await play('disclosing', { disclose: NUMBER }, typing(PIN))
    assert.equal([outcome.status, asked], ['success', [...LOG_IN, ...PROVE, ...PROVE, ...PROVE]])
    const responses = keyshare.asked.filter(({ path }) => path === PROVE[1]).slice(-3)
    const drafts = responses.map(({ body }) => JSON.parse(body).UserChallengeInput[0].comm)
    assert.is(new Set(drafts).size, 3) // two responses of one draft would reveal the wallet's half of the key
    keyshare.instead('/api/v2/prove/getResponse', lost, lost, lost)
    const failed = await play('disclosing', { disclose: NUMBER })
    assertFailed(failed.outcome, 'keyshare-error', /has no commitment for this session any more/)
    assert.is(failed.asked.length, 6)
  },
)

Sessions('a token that the server refuses is dropped, and the PIN is asked for once more', async () => {
  await play('disclosing', { disclose: NUMBER }, typing(PIN))
  keyshare.instead('/api/v2/prove/getCommitments', refusal(403, 'UNAUTHORIZED'))
  const handlers = typing(PIN)
  const { outcome, asked } = await play('disclosing', { disclose: NUMBER }, handlers)
  assert.equal([outcome.status, asked], ['success', [PROVE[0], ...LOG_IN, ...PROVE]])
  keyshare.instead('/api/v2/prove/getCommitments', ...Array(2).fill(refusal(403, 'USER_NOT_REGISTERED')))
  const gone = await play('disclosing', { disclose: NUMBER }, typing(PIN))
  assertFailed(gone.outcome, 'keyshare-error', /does not know this account/)
})

Sessions('a call whose connection breaks is repeated twice', async () => {
  keyshare.instead(
    '/api/v2/prove/getCommitments',
    () => null,
    () => null,
  )
  const { outcome, asked } = await play('disclosing', { disclose: NUMBER }, typing(PIN))
  assert.is(outcome.status, 'success')
  assert.equal(asked.filter(path => path === '/api/v2/prove/getCommitments').length, 3)
  keyshare.instead('/api/v2/prove/getCommitments', ...Array(3).fill(() => null))
  assertFailed(
    (await play('disclosing', { disclose: NUMBER })).outcome,
    'keyshare-unreachable',
    /expected an answer from the keyshare server of \S+, got none/,
  )
})

Sessions('a call that is answered 503 is repeated, except one that counts an attempt at a PIN', async () => {
  keyshare.instead('/api/v2/prove/getCommitments', refusal(503, 'INTERNAL_ERROR'))
  const again = await play('disclosing', { disclose: NUMBER }, typing(PIN))
  const proved = again.asked.filter(path => path.includes('/prove/'))
  assert.equal([again.outcome.status, proved], ['success', [PROVE[0], ...PROVE]])
  keyshare.instead('/api/v2/prove/getCommitments', refusal(403, 'UNAUTHORIZED'))
  keyshare.instead('/users/verify/pin_challengeresponse', refusal(503, 'INTERNAL_ERROR'))
  const refused = await play('disclosing', { disclose: NUMBER }, typing(PIN))
  assertFailed(refused.outcome, 'keyshare-error', /503/)
  assert.equal(refused.asked, [PROVE[0], ...LOG_IN])
})

Sessions('after a lost response, the wallet asks for new commitments', async () => {
  keyshare.instead('/api/v2/prove/getResponse', async own => {
    await own()
    return null
  })
  const { outcome, asked } = await play('disclosing', { disclose: NUMBER }, typing(PIN))
  assert.is(outcome.status, 'success')
  assert.equal(asked.slice(2), [...PROVE, '/api/v2/prove/getResponse', ...PROVE])
})

Sessions.run()
