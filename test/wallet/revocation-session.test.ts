/** Sessions that request unrevoked credentials (spec/cryptography#14.4 to #14.6), with servers that follow the protocol and servers that do not.
 *  @module */
import * as assert from 'uvu/assert'
import type { ConsentQuestion } from '../../libraries/wallet/session.ts'
import { openWallet } from '../../libraries/wallet/wallet.ts'
import { writeUpdate } from '../../protocol/revocation-json.ts'
import { suite } from '../suite.ts'
import { createAuthority } from './authority.ts'
import { deps, newWallet } from './demo-wallets.ts'
import { type Answer, json, text } from './fake-server.ts'
import { held, NOTE, offering, playIssuing, withWallet } from './issuance-play.ts'
import { issuing } from './issuer.ts'
import { agreeToAll, assertFailed, connection, irma, play, refuse, requestOf } from './play.ts'
import {
  asking,
  BADGE,
  disclose,
  OFFER,
  provedIndex,
  receive,
  standing,
  updatesOf,
} from './revocation-play.ts'
import { schemesWith } from './support.ts'

/** Its revocation attribute is between the two others. */
const PERMIT = 'svc-demo.gov.permit'
const Revocable = suite('credentials that can be revoked (spec/cryptography#14)')

Revocable('the witness is received and stored, and proves non-revocation', () =>
  withWallet(async wallet => {
    const authority = createAuthority(BADGE)
    const questions: ConsentQuestion[] = []
    const { outcome } = await playIssuing(
      offering([OFFER, NOTE], issuing([OFFER, NOTE], [{ witness: authority.issue() }])),
      {
        wallet,
        handlers: {
          consent: question => {
            questions.push(question)
            return agreeToAll.consent(question)
          },
        },
      },
    )
    assert.is(outcome.status, 'success')
    const [question] = questions
    const offered = question?.kind === 'issuing' ? question.credentials : []
    assert.equal(
      offered.map(({ isRevocable }) => isRevocable),
      [true, false],
    )
    assert.equal(held(wallet), [`${BADGE} 3,`, 'svc-demo.fast.note issued,'])
    assert.equal(standing(wallet), [false, undefined])
    assert.is(provedIndex(await disclose(wallet, asking(updatesOf(authority)))), 0)
    const { dir } = wallet
    await wallet.close()
    const again = await openWallet(dir, deps)
    assert.is(provedIndex(await disclose(again, asking(updatesOf(authority)))), 0)
    await again.close()
  }),
)

Revocable(
  'a request without revocation accepts a revoked credential, without a proof of non-revocation',
  () =>
    withWallet(async wallet => {
      const authority = createAuthority(BADGE)
      const witness = authority.issue()
      await receive(wallet, witness)
      authority.revoke(witness.e)
      const request = requestOf(irma, { disclose: [[[`${BADGE}.level`]]] })
      assert.is(provedIndex(await disclose(wallet, request)), null)
      const refused = await disclose(wallet, asking(updatesOf(authority)))
      assert.equal([refused.outcome.status, standing(wallet)], ['cancelled', [true]])
      assert.is(provedIndex(await disclose(wallet, request)), null)
    }),
)

Revocable('the updates in a request update the witness, which is stored even after a refusal', () =>
  withWallet(async wallet => {
    const authority = createAuthority(BADGE)
    await receive(wallet, authority.issue())
    authority.revoke(undefined, 3)
    assert.is(provedIndex(await disclose(wallet, asking(updatesOf(authority)))), 3)
    authority.revoke(undefined, 2)
    const request = asking(updatesOf(authority))
    await play(
      { 'GET /': json(connection(irma, { request })), 'DELETE /': text('') },
      { wallet, handlers: refuse },
    )
    assert.is(provedIndex(await disclose(wallet, asking(undefined))), 5)
    assert.is(provedIndex(await disclose(wallet, asking({}))), 5)
  }),
)

Revocable('a revoked credential is no candidate; the question has the reason, and the wallet stores it', () =>
  withWallet(async wallet => {
    const authority = createAuthority(BADGE)
    const witness = authority.issue()
    await receive(wallet, witness)
    const [mine] = wallet.credentials()
    authority.revoke(witness.e, 1)
    for (const updates of [updatesOf(authority), undefined]) {
      const { outcome, calls, item } = await disclose(wallet, asking(updates))
      assert.equal(outcome, { status: 'cancelled', clientReturnUrl: null })
      assert.equal(calls, ['GET /', 'DELETE /'])
      assert.equal(item?.candidates, [])
      assert.equal(item?.missing, [[`${BADGE}.level`]])
      assert.equal(item?.unprovable, [{ credential: mine?.id, type: BADGE, reason: 'revoked' }])
    }
    assert.equal(standing(wallet), [true])
  }),
)

Revocable('of two concurrent updates, the later accumulator counts', () =>
  withWallet(async wallet => {
    const authority = createAuthority(BADGE)
    const [first, second] = [authority.issue(), authority.issue()]
    await receive(wallet, first)
    await receive(wallet, second)
    authority.revoke(undefined, 1)
    const early = authority.update(16)
    authority.revoke(first.e, 1)
    const late = authority.update(16)
    let isLateDone = (): void => undefined
    const lateDone = new Promise<void>(resolve => {
      isLateDone = resolve
    })
    const none = async () => []
    const slow = wallet.updateWitnesses(async () => {
      await lateDone
      return early
    }, none)
    await wallet.updateWitnesses(async () => late, none)
    isLateDone()
    await slow
    assert.equal(standing(wallet), [true, false])
    assert.is(provedIndex(await disclose(wallet, asking(undefined))), 3)
  }),
)

Revocable('an unrevoked instance answers in place of a revoked one', () =>
  withWallet(async wallet => {
    const authority = createAuthority(BADGE)
    const witness = authority.issue()
    await receive(wallet, witness)
    await receive(wallet, authority.issue())
    authority.revoke(witness.e)
    const played = await disclose(wallet, asking(updatesOf(authority)))
    assert.is(provedIndex(played), 1)
    assert.is(played.item?.candidates.length, 1)
    assert.is(played.item?.unprovable.length, 1)
    assert.equal(standing(wallet), [true, false])
  }),
)

Revocable('an instance that was issued without a witness is no candidate', () =>
  withWallet(async wallet => {
    const plain = { ...OFFER, revocationSupported: false }
    await playIssuing(offering([plain]), { wallet })
    const { outcome, item } = await disclose(wallet, asking(updatesOf(createAuthority(BADGE))))
    assert.is(outcome.status, 'cancelled')
    assert.is(item?.unprovable[0]?.reason, 'no-witness')
  }),
)

Revocable('another hidden attribute with the same number as the witness is not used instead', async () => {
  const authority = createAuthority(PERMIT)
  const witness = authority.issue()
  const kindBefore = { kind: witness.e, number: '1' }
  const wallet = await newWallet([{ type: PERMIT, attributes: kindBefore, witness }])
  const revocation = { [PERMIT]: { updates: updatesOf(authority) } }
  const request = requestOf(irma, { disclose: [[[PERMIT]]], revocation })
  assert.is(provedIndex(await disclose(wallet, request)), 0)
  await wallet.close()
})

Revocable('wrong updates look to the server like a wallet without the credential', () =>
  withWallet(async wallet => {
    const authority = createAuthority(BADGE)
    await receive(wallet, authority.issue())
    authority.revoke(undefined, 2)
    const { signed } = authority.update(0)
    const other = createAuthority(PERMIT).update(1)
    const wrong = [writeUpdate(other), writeUpdate({ signed, events: other.events })]
    for (const update of wrong) {
      const { outcome, calls, item } = await disclose(wallet, asking({ 0: update }))
      assert.is(outcome.status, 'cancelled')
      assert.equal(calls, ['GET /', 'DELETE /'])
      assert.is(item?.unprovable[0]?.reason, 'outdated')
    }
    assert.equal(standing(wallet), [false])
    assert.is(provedIndex(await disclose(wallet, asking(updatesOf(authority)))), 2)
  }),
)

const MALFORMED: readonly (readonly [what: string, updates: unknown])[] = [
  ['no map of keys', ['x']],
  ['a malformed key counter', { '01': writeUpdate(createAuthority(BADGE).update(1)) }],
  ['an update without an accumulator', { 0: {} }],
  [
    'a malformed hash',
    { 0: { ...writeUpdate(createAuthority(BADGE).update(0)), e: { i: 0, hash: 'EiA=', e: [] } } },
  ],
]
for (const [what, updates] of MALFORMED)
  Revocable(`a request with ${what} is malformed for every wallet`, () =>
    withWallet(async wallet => {
      const { outcome } = await disclose(wallet, asking(updates as object)) // wrong on purpose
      assertFailed(outcome, 'malformed-answer', /the server's answer/)
    }),
  )

Revocable('a signature also contains the proof of non-revocation', async () => {
  const wallet = await newWallet([], true, { ...deps, schemes: schemesWith({}) }) // without timestamps
  const authority = createAuthority(BADGE)
  await receive(wallet, authority.issue())
  const request = requestOf(
    irma,
    {
      disclose: [[[`${BADGE}.level`]]],
      message: 'yes',
      revocation: { [BADGE]: { updates: updatesOf(authority) } },
    },
    'signature',
  )
  const answers: Readonly<Record<string, Answer>> = {
    'GET /': json(connection(irma, { request })),
    'POST /proofs': json({ proofStatus: 'VALID' }),
  }
  const { outcome, server } = await play(answers, { wallet, type: 'signing', handlers: agreeToAll })
  assert.is(outcome.status, 'success')
  assert.match(server.asked.at(-1)?.body ?? '', /"nonrev_proof":\{"C_r"/)
  await wallet.close()
})

Revocable.run()
