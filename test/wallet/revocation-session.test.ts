/** Sessions about credentials that can be revoked (cryptography 14.3 to 14.6), against servers that keep to the protocol and servers that do not.
 *  @module */
import * as assert from 'uvu/assert'
import { verifyProofs } from '../../crypto/proof-list.ts'
import { readAccumulator } from '../../crypto/revocation/accumulator.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import { parseDisclosureMessage } from '../../protocol/disclosure-message.ts'
import { writeUpdate } from '../../protocol/revocation-json.ts'
import type { ItemCandidates } from '../../wallet/candidates.ts'
import type { ConsentQuestion } from '../../wallet/session.ts'
import { openWallet, type Wallet } from '../../wallet/wallet.ts'
import { suite } from '../suite.ts'
import { type Authority, createAuthority } from './authority.ts'
import { arithmetic, deps, newWallet, proofToVerify } from './demo-wallets.ts'
import { type Answer, json, text } from './fake-server.ts'
import { EXPIRES, held, NONCE, NOTE, offering, playIssuing, withWallet } from './issuance-play.ts'
import { issuing, type Requested, type Wrongs } from './issuer.ts'
import { agreeToAll, assertFailed, connection, irma, type Played, play, refuse, requestOf } from './play.ts'
import { schemesWith } from './support.ts'

const BADGE = 'svc-demo.fast.badge'
const OFFER: Requested = {
  credential: BADGE,
  attributes: { level: '3' },
  validity: EXPIRES,
  revocationSupported: true,
}
const Revocable = suite('credentials that can be revoked (cryptography 14)')

const receive = (wallet: Wallet, witness: Witness, wrongs: Wrongs = {}): Promise<Played> =>
  playIssuing(offering([OFFER], issuing([OFFER], [{ witness, ...wrongs }])), { wallet })

/** A request that asks for a badge, and for the proof that it is not revoked.
 *  @param updates as the server sends them, by key counter */
const asking = (updates: object | undefined, more: object = {}): object =>
  requestOf(irma, {
    disclose: [[[`${BADGE}.level`]]],
    revocation: { [BADGE]: { updates } },
    ...more,
  })

const updatesOf = (authority: Authority, count = 16): object => ({ 0: writeUpdate(authority.update(count)) })

async function disclose(
  wallet: Wallet,
  request: object,
): Promise<Played & { readonly item?: ItemCandidates }> {
  const items: (ItemCandidates | undefined)[] = []
  const consent = (question: ConsentQuestion) => {
    items.push(question.candidates.items[0])
    return (question.candidates.isSatisfiable ? agreeToAll : refuse).consent(question)
  }
  const answers = {
    'GET /': json(connection(irma, { request })),
    'POST /proofs': json({ proofStatus: 'VALID' }),
    'DELETE /': text(''),
  }
  const played = await play(answers, { wallet, handlers: { consent } })
  return { ...played, ...(items[0] && { item: items[0] }) }
}

/** The one proof that was sent, which must verify.
 *  @returns index of the accumulator that it is about; null: it says nothing about revocation */
function provedIndex({ server }: Played): number | null {
  const { proofs } = parseDisclosureMessage(server.asked.at(-1)?.body ?? '')
  const disclosures = proofs.map(proofToVerify)
  const list = { disclosures, commitments: [], context: 1n, nonce: NONCE, isSignature: false }
  assert.is(proofs.length, 1)
  assert.ok(verifyProofs(arithmetic, list))
  const signed = proofs[0]?.nonRevocation?.signed
  return signed ? readAccumulator(signed).index : null
}

const standing = (wallet: Wallet) => wallet.credentials().map(({ revocation }) => revocation?.isRevoked)

Revocable('the witness is received, kept, and proves what it should', () =>
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

Revocable('without a word about revocation the credential is one like any other', () =>
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

Revocable('what the request brings moves the witness on, which is kept whatever the user answers', () =>
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

Revocable('a revoked credential is no candidate, the user is told, and the wallet remembers', () =>
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

Revocable('of two sessions at once the one that knows more has its way', () =>
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

Revocable('another instance answers in its place', () =>
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

Revocable('one that was issued without a witness cannot answer', () =>
  withWallet(async wallet => {
    const plain = { ...OFFER, revocationSupported: false }
    await playIssuing(offering([plain]), { wallet })
    const { outcome, item } = await disclose(wallet, asking(updatesOf(createAuthority(BADGE))))
    assert.is(outcome.status, 'cancelled')
    assert.is(item?.unprovable[0]?.reason, 'no-witness')
  }),
)

Revocable('updates that are wrong look to the server like a wallet without the card', () =>
  withWallet(async wallet => {
    const authority = createAuthority(BADGE)
    await receive(wallet, authority.issue())
    authority.revoke(undefined, 2)
    const { signed } = authority.update(0)
    const other = createAuthority('svc-demo.gov.permit').update(1)
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
  ['a key counter that is none', { '01': writeUpdate(createAuthority(BADGE).update(1)) }],
  ['an update without an accumulator', { 0: {} }],
  [
    'a hash that is none',
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

type WrongIssue = readonly [what: string, wrongs: (authority: Authority) => Wrongs, message: RegExp]
const NOT_RIGHT = /not one for an accumulator of its issuer/
const WRONG_WITNESSES: readonly WrongIssue[] = [
  ['no witness', () => ({ sent: null }), /expected a witness with svc-demo\.fast\.badge/],
  ['a witness whose root is wrong', own => ({ sent: { ...own.issue(), u: own.issue().u } }), NOT_RIGHT],
  ['a witness of root 0', own => ({ sent: { ...own.issue(), u: 0n } }), NOT_RIGHT],
  ['the witness that is always one', own => ({ sent: trivial(own) }), NOT_RIGHT],
  ['the witness of another credential', own => ({ sent: own.issue() }), /not one on what was offered/],
  [
    'a witness that another issuer signed',
    () => ({ sent: createAuthority('svc-demo.gov.permit').issue() }),
    NOT_RIGHT,
  ],
]

/** u = Nu, e = 1. */
function trivial(authority: Authority): Witness {
  const { signed } = authority.issue()
  return { u: readAccumulator(signed).nu, e: 1n, signed }
}

for (const [what, wrongs, message] of WRONG_WITNESSES)
  Revocable(`with ${what} a credential is not kept (14.3)`, () =>
    withWallet(async wallet => {
      const authority = createAuthority(BADGE)
      const { outcome } = await receive(wallet, authority.issue(), wrongs(authority))
      assertFailed(outcome, 'wrong-credential', message)
      assert.equal(held(wallet), [])
    }),
  )

Revocable('a witness that was not offered is not taken', () =>
  withWallet(async wallet => {
    const sent = createAuthority(BADGE).issue()
    const plain = { ...OFFER, revocationSupported: false }
    for (const offer of [plain, NOTE]) {
      const { outcome } = await playIssuing(offering([offer], issuing([offer], [{ sent }])), { wallet })
      assertFailed(outcome, 'wrong-credential', /expected no witness/)
    }
    assert.equal(held(wallet), [])
  }),
)

Revocable('a type without revocation stays without, whatever a server says', () =>
  withWallet(async wallet => {
    const offer = { ...NOTE, revocationSupported: true }
    const { outcome } = await playIssuing(offering([offer], issuing([offer])), { wallet })
    assert.equal([outcome.status, standing(wallet)], ['success', [undefined]])
  }),
)

Revocable('a signature too proves that what it discloses is not revoked', async () => {
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
