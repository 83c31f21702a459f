/** Issuance sessions against servers that follow the protocol (spec/interface#2.5, #2.9; spec/cryptography#6, #9, #13). @module */
import * as assert from 'uvu/assert'
import { verifyProofs } from '../../crypto/proof-list.ts'
import type { ConsentQuestion } from '../../libraries/wallet/session.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { parseCommitmentMessage } from '../../protocol/commitment-message.ts'
import { parseIssuerId } from '../../protocol/ids.ts'
import { suite } from '../suite.ts'
import { arithmetic, newWallet, proofToVerify, shownBy } from './demo-wallets.ts'
import { broken, json } from './fake-server.ts'
import {
  BALLOT,
  EXPIRES,
  held,
  LOT,
  NONCE,
  NOTE,
  offering,
  playIssuing,
  REGISTRATION,
  withWallet,
} from './issuance-play.ts'
import { issuing } from './issuer.ts'
import { agreeToAll, connection, irma, play, refuse, requestOf } from './play.ts'
import { NOW_SEC, schemes, WEEK_SEC } from './support.ts'

const Issuance = suite('issuance (spec/interface#2.9)')

Issuance('credentials are shown to the user, verified and stored before success is reported', () =>
  withWallet(async wallet => {
    const questions: ConsentQuestion[] = []
    const { outcome, calls } = await playIssuing(offering([NOTE, REGISTRATION]), {
      wallet,
      handlers: {
        consent: question => {
          questions.push(question)
          return agreeToAll.consent(question)
        },
      },
    })
    assert.equal(outcome, { status: 'success', proofStatus: 'VALID', clientReturnUrl: null })
    assert.equal(calls, ['GET /', 'POST /commitments'])
    assert.equal(held(wallet), ['svc-demo.fast.note issued,', 'svc-demo.gov.registration 7,yes,'])
    const [view] = wallet.credentials()
    assert.is(view?.expiresAtSec, Math.floor(EXPIRES / WEEK_SEC) * WEEK_SEC)
    const [question] = questions
    assert.is(questions.length, 1)
    assert.is(question?.kind === 'issuing' && question.credentials.length, 2)
    assert.equal(question?.kind === 'issuing' && question.credentials[0], {
      type: 'svc-demo.fast.note',
      attributes: [
        { id: 'svc-demo.fast.note.text', value: 'issued', isRandomBlind: false },
        { id: 'svc-demo.fast.note.extra', value: null, isRandomBlind: false },
      ],
      expiresAtSec: Math.floor(EXPIRES / WEEK_SEC) * WEEK_SEC,
      isRevocable: false,
    })
  }),
)

Issuance('the commitments verify, for exactly the random blind attributes (spec/cryptography#9.2)', () =>
  withWallet(async wallet => {
    const { server } = await playIssuing(offering([BALLOT, NOTE]), { wallet })
    const message = parseCommitmentMessage(server.asked.at(-1)?.body ?? '')
    const keys = [
      schemes.publicKey(parseIssuerId('svc-demo.uni'), 1),
      schemes.publicKey(parseIssuerId('svc-demo.fast'), 0),
    ]
    const commitments = message.proofs.map((each, i) => {
      const key = keys[i]
      if (each.kind !== 'commitment' || !key) throw new Error('expected two commitments')
      return { proof: each.proof, key, group: '.', randomBlind: i === 0 ? [3] : [] }
    })
    const list = { disclosures: [], commitments, context: 1n, nonce: NONCE, isSignature: false }
    assert.is(commitments.length, 2)
    assert.ok(verifyProofs(arithmetic, list))
    assert.ok(message.n2 > 0n)
  }),
)

Issuance('the value of a random blind attribute is the sum of both shares', () =>
  withWallet(async wallet => {
    const { outcome } = await playIssuing(offering([BALLOT, LOT]), { wallet })
    assert.is(outcome.status, 'success')
    for (const { attributes } of wallet.credentials())
      assert.match(attributes[1]?.value ?? '', /^[0-9a-zA-Z]{38,43}$/)
  }),
)

Issuance('a new credential replaces the old one if its type is a singleton, and not otherwise', () =>
  withWallet(async wallet => {
    for (const number of ['1', '2']) {
      const again = { ...REGISTRATION, attributes: { ...REGISTRATION.attributes, number } }
      await playIssuing(offering([again, NOTE]), { wallet })
    }
    assert.equal(held(wallet), [
      'svc-demo.fast.note issued,',
      'svc-demo.gov.registration 2,yes,',
      'svc-demo.fast.note issued,',
    ])
  }),
)

Issuance('a combined session discloses under the same challenge, before the commitments', async () => {
  const wallet = await newWallet()
  const disclose = [[['svc-demo.gov.idcard.familyname']], [[], ['svc-demo.gov.address.city']]]
  const { outcome, server } = await playIssuing(offering([NOTE], issuing([NOTE]), { disclose }), { wallet })
  assert.is(outcome.status, 'success')
  const { proofs, indices } = parseCommitmentMessage(server.asked.at(-1)?.body ?? '')
  const disclosed = proofs.flatMap(each => (each.kind === 'disclosure' ? [each.proof] : []))
  const committed = proofs.flatMap(each => (each.kind === 'commitment' ? [each.proof] : []))
  assert.equal(
    proofs.map(({ kind }) => kind),
    ['disclosure', 'commitment'],
  )
  assert.equal(shownBy(disclosed, indices), [
    [{ id: 'svc-demo.gov.idcard.familyname', value: 'Voorbeeld' }],
    [],
  ])
  const key = schemes.publicKey(parseIssuerId('svc-demo.fast'), 0)
  if (!key) throw new Error('expected the key')
  const list = {
    disclosures: disclosed.map(proofToVerify),
    commitments: committed.map(proof => ({ proof, key, group: '.', randomBlind: [] })),
    context: 1n,
    nonce: NONCE,
    isSignature: false,
  }
  assert.ok(verifyProofs(arithmetic, list))
  await wallet.close()
})

Issuance('an issued credential can be disclosed', () =>
  withWallet(async wallet => {
    await playIssuing(offering([NOTE]), { wallet })
    const request = requestOf(irma, { disclose: [[['svc-demo.fast.note.text']]] })
    const { outcome } = await play(
      { 'GET /': json(connection(irma, { request })), 'POST /proofs': json({ proofStatus: 'VALID' }) },
      { wallet },
    )
    assert.is(outcome.status, 'success')
  }),
)

Issuance('after a refusal nothing is stored, and the session is cancelled', () =>
  withWallet(async wallet => {
    const { outcome, calls } = await playIssuing(offering([NOTE]), { wallet, handlers: refuse })
    assert.is(outcome.status, 'cancelled')
    assert.equal(calls, ['GET /', 'DELETE /'])
    assert.equal(held(wallet), [])
  }),
)

Issuance('commitments without an answer are sent again, with the same bytes', () =>
  withWallet(async wallet => {
    const { outcome, server } = await playIssuing(offering([NOTE], [broken, issuing([NOTE])]), { wallet })
    assert.is(outcome.status, 'success')
    const sent = server.asked.filter(({ call }) => call === 'POST /commitments').map(({ body }) => body)
    assert.is(sent.length, 2)
    assert.is(sent[0], sent[1])
    assert.equal(held(wallet), ['svc-demo.fast.note issued,'])
  }),
)

for (const weeks of [-1, 0, 1])
  Issuance(`a signing date that differs by ${weeks} weeks from the clock of the wallet is accepted`, () =>
    withWallet(async wallet => {
      const { outcome } = await playIssuing(offering([NOTE], issuing([NOTE], [{ weeks }])), { wallet })
      assert.is(outcome.status, 'success')
      const week = Math.floor(NOW_SEC / WEEK_SEC) + weeks
      assert.is(wallet.credentials()[0]?.signedAtSec, week * WEEK_SEC)
    }),
  )

Issuance('a crash before a credential is stored leaves the other credentials', () =>
  withWallet(async wallet => {
    await playIssuing(offering([NOTE]), { wallet })
    const crashing = { ...wallet, draft: crashAtReceipt(wallet) }
    try {
      await playIssuing(offering([REGISTRATION]), { wallet: crashing })
      assert.unreachable('expected the crash')
    } catch (error) {
      assert.match(String(error), /power cut/)
    }
    assert.equal(held(wallet), ['svc-demo.fast.note issued,'])
  }),
)

function crashAtReceipt(wallet: Wallet): Wallet['draft'] {
  return request => {
    const draft = wallet.draft(request)
    const receive = () => Promise.reject(new Error('power cut'))
    return {
      ...draft,
      bind(nonce, parts) {
        const { challenge, respond } = draft.bind(nonce, parts)
        return { challenge, respond: () => ({ ...respond(), receive }) }
      },
    }
  }
}

Issuance.run()
