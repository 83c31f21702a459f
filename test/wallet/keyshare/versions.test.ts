/** The version of the proofs that a wallet uses (spec/decisions#keyshare_v1): the second one where the keyshare server has it, and the first one elsewhere. */
import * as assert from 'uvu/assert'
import { fromBase64 } from '../../../crypto/bytes.ts'
import { answerSession } from '../../../libraries/wallet/session.ts'
import type { SessionType } from '../../../protocol/request.ts'
import { suite } from '../../suite.ts'
import { assertFailed } from '../play.ts'
import { refusal } from './fake-keyshare.ts'
import { LOYALTY, MAIL, NOTE, PIN, registeredWallet, renew, startWorld, typing } from './registered.ts'

const GET_PS = '/api/v2/prove/getPs'
const SECOND = ['/api/v2/prove/getCommitments', '/api/v2/prove/getResponse']
const FIRST = ['/prove/getCommitments', '/prove/getResponse']
const NUMBER = [[['svc-keyshare.shop.loyalty.number']]]

const world = await startWorld()
const { askedPaths, depsOf, keyshare, sessions } = world
const wallet = await registeredWallet(world)

/** Answers a session.
 *  @returns the calls of proofs, and the body that the session server got */
async function play(type: SessionType, body: object) {
  askedPaths()
  const session = await sessions.create(type, body)
  let sent = ''
  const { fetch: send, ...deps } = depsOf(wallet)
  const listening: typeof fetch = (input, init) => {
    if (/\/(proofs|commitments)$/.test(String(input))) sent = String(init?.body)
    return send(input, init)
  }
  const outcome = await answerSession({ ...deps, fetch: listening }, session.pointer, typing(PIN))
  const { status, proofStatus } = await session.result()
  const asked = askedPaths().filter(path => path.includes('/prove/'))
  return { outcome, asked, sent, result: [outcome.status, status, proofStatus] }
}

/** ProofP of the JWT in the body of an issuance. */
function proofPIn(sent: string): object {
  const [jwt = ''] = Object.values<string>(JSON.parse(sent).proofPJwts)
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).ProofP
}

const WHOLE = ['success', 'DONE', 'VALID']
const Versions = suite('versions of the proofs with a keyshare server')
Versions.before.each(() => {
  renew(world)
  keyshare.hasSecondVersion = true
})
Versions.after(async () => {
  await wallet.close()
  await world.close()
})

Versions('the second version is used in every type of session, and the issuer gets no P', async () => {
  const issued = await play('issuing', { credentials: [NOTE, LOYALTY, LOYALTY] })
  assert.equal([issued.result, issued.asked], [WHOLE, [GET_PS, ...SECOND]])
  assert.equal(Object.keys(proofPIn(issued.sent)), ['c', 's_response'])
  const both = [...NUMBER, [['svc-demo.fast.note.text']]]
  const combined = await play('issuing', { disclose: both, credentials: [MAIL, NOTE] })
  assert.equal([combined.result, combined.asked], [WHOLE, [GET_PS, ...SECOND]])
  for (const [type, more] of [
    ['disclosing', {}],
    ['signing', { message: 'yes' }],
  ] as const) {
    const shown = await play(type, { disclose: both, ...more })
    assert.equal([shown.result, shown.asked], [WHOLE, SECOND])
  }
})

Versions('a server that has only getPs of the second version gets the calls of the first', async () => {
  keyshare.hasSecondVersion = false
  const [tried = ''] = SECOND
  const issued = await play('issuing', { disclose: NUMBER, credentials: [LOYALTY, NOTE] })
  assert.equal([issued.result, issued.asked], [WHOLE, [GET_PS, tried, ...FIRST]])
  assert.equal(Object.keys(proofPIn(issued.sent)), ['P', 'c', 's_response'])
  const shown = await play('disclosing', { disclose: NUMBER })
  assert.equal([shown.result, shown.asked], [WHOLE, [tried, ...FIRST]])
})

Versions('a repeat with the first version does not try the second one again', async () => {
  keyshare.hasSecondVersion = false
  keyshare.instead('/prove/getResponse', refusal(409, 'MISSING_COMMITMENT'))
  const { asked, result } = await play('signing', { disclose: NUMBER, message: 'yes' })
  assert.equal([result, asked], [WHOLE, [SECOND[0], ...FIRST, ...FIRST]])
})

Versions(
  'a server that refuses the second version for another reason is not asked for the first',
  async () => {
    keyshare.instead('/api/v2/prove/getCommitments', refusal(400, 'INVALID_REQUEST'))
    const { outcome, asked } = await play('disclosing', { disclose: NUMBER })
    assertFailed(outcome, 'keyshare-error', /it refused what was sent/)
    assert.equal(asked, SECOND.slice(0, 1))
  },
)

Versions('the wallet commits to U with P in it, and sends only its own response', async () => {
  const { sent } = await play('issuing', { credentials: [LOYALTY, NOTE] })
  const asked = keyshare.asked.findLast(({ path }) => path === SECOND[1])
  const { UserChallengeInput: input, ...rest } = JSON.parse(asked?.body ?? '')
  assert.equal(Object.keys(rest), ['context', 'nonce', 'resp', 'sig'])
  assert.equal([fromBase64(rest.context), rest.sig], [1n, false])
  const { combinedProofs } = JSON.parse(sent)
  assert.equal(
    input.map(({ key, val }: { key?: string; val: string }) => [key ?? null, val]),
    [
      ['svc-keyshare.shop-0', combinedProofs[0].U],
      [null, combinedProofs[1].U],
    ],
  )
  assert.is(rest.resp, combinedProofs[1].s_response)
})

Versions.run()
