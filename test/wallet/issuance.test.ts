/** Issuance sessions against servers that keep to the protocol, and against such that do not (spec 2.5, 2.9; cryptography 6, 9, 13). @module */
import * as assert from 'uvu/assert'
import { findSignaturePrime } from '../../crypto/issuance.ts'
import { isProbablePrime } from '../../crypto/prime.ts'
import { verifyProofs } from '../../crypto/proof-list.ts'
import { parseCommitmentMessage } from '../../protocol/commitment-message.ts'
import { parseIssuerId } from '../../protocol/ids.ts'
import type { ConsentQuestion } from '../../wallet/session.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { suite } from '../suite.ts'
import { arithmetic, deps, newWallet, proofToVerify, shownBy } from './demo-wallets.ts'
import { type Answer, broken, json, text } from './fake-server.ts'
import { issue, issuing, type Requested, type Wrongs } from './issuer.ts'
import {
  agreeToAll,
  assertFailed,
  connection,
  irma,
  type Played,
  type PlayOptions,
  play,
  refuse,
  requestOf,
} from './play.ts'
import { NOW_SEC, schemes, WEEK_SEC } from './support.ts'

const NONCE = 0xce6c90d890ee907_03e780d338baf4d3en
const EXPIRES = NOW_SEC + 10 * WEEK_SEC

const NOTE: Requested = {
  credential: 'svc-demo.fast.note',
  attributes: { text: 'issued' },
  validity: EXPIRES,
}
const BALLOT: Requested = {
  credential: 'svc-demo.uni.ballot',
  attributes: { election: 'Council', url: 'https://vote.example.test/' },
  validity: EXPIRES,
  keyCounter: 1,
  randomblindIDs: ['url'],
}
const LOT: Requested = { credential: 'svc-demo.fast.lot', attributes: { draw: 'Spring' }, validity: EXPIRES }
const REGISTRATION: Requested = {
  credential: 'svc-demo.gov.registration',
  attributes: { number: '7', over18: 'yes' },
  validity: EXPIRES,
}

/** A server that offers these, and issues them if `answer` says nothing else. */
function offering(
  credentials: readonly Requested[],
  answer: Answer | readonly Answer[] = issuing(credentials),
  more: object = {},
): Readonly<Record<string, Answer | readonly Answer[]>> {
  const request = requestOf(irma, { disclose: undefined, credentials, ...more }, 'issuance')
  return {
    'GET /': json(connection(irma, { request })),
    'POST /commitments': answer,
    'DELETE /': text(''),
  }
}

function playIssuing(
  answers: ReturnType<typeof offering>,
  options: PlayOptions & { readonly wallet: Wallet },
): Promise<Played> {
  return play(answers, { handlers: agreeToAll, type: 'issuing', ...options })
}

async function withWallet(test: (wallet: Wallet) => Promise<void>): Promise<void> {
  const wallet = await newWallet([])
  await test(wallet).finally(() => wallet.close())
}

const held = (wallet: Wallet): string[] =>
  wallet.credentials().map(({ type, attributes }) => `${type} ${attributes.map(({ value }) => value).join()}`)

const Issuance = suite('issuance (spec 2.9)')

Issuance('what is issued is asked about, checked and kept before success is reported', () =>
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
    })
  }),
)

Issuance('the commitments verify, for exactly the random blind attributes (cryptography 9.2)', () =>
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

Issuance('a new instance of a singleton type takes the place of the old one, of another type not', () =>
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

Issuance('what was issued can be disclosed', () =>
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

Issuance('refusing keeps nothing, and the server is told', () =>
  withWallet(async wallet => {
    const { outcome, calls } = await playIssuing(offering([NOTE]), { wallet, handlers: refuse })
    assert.is(outcome.status, 'cancelled')
    assert.equal(calls, ['GET /', 'DELETE /'])
    assert.equal(held(wallet), [])
  }),
)

Issuance('commitments that got no answer are sent again, the same bytes', () =>
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
  Issuance(`a clock that says another week by ${weeks} is near enough`, () =>
    withWallet(async wallet => {
      const { outcome } = await playIssuing(offering([NOTE], issuing([NOTE], [{ weeks }])), { wallet })
      assert.is(outcome.status, 'success')
      const week = Math.floor(NOW_SEC / WEEK_SEC) + weeks
      assert.is(wallet.credentials()[0]?.signedAtSec, week * WEEK_SEC)
    }),
  )

/** In the range of primes of signatures, and none; without small factors, so that an issuer can sign with it. */
function compositeE(issuer: string): bigint {
  const { n = 0n } = schemes.publicKey(parseIssuerId(issuer), 0) ?? {}
  let e = findSignaturePrime(arithmetic, n, deps.randomBytes)
  const hasSmallFactor = (): boolean =>
    Array.from({ length: 5000 }, (_, i) => 2n * BigInt(i) + 3n).some(d => e % d === 0n)
  while (hasSmallFactor() || isProbablePrime(arithmetic, e)) e += 2n
  return e
}

const NOT_AS_OFFERED: readonly (readonly [what: string, wrongs: Wrongs, message: RegExp])[] = [
  ['signed two weeks ago', { weeks: -2 }, /a week before or after/],
  ['signed two weeks ahead', { weeks: 2 }, /a week before or after/],
  ['with another value', { attributes: { text: 'changed' } }, /not one on what was offered/],
  ['with a value that was not offered', { attributes: { extra: 'more' } }, /not one on what was offered/],
  ['over another nonce', { n2: 5n }, /the proof that .* does not hold/],
  [
    'with a wrong proof',
    { issued: ({ signature, proof }) => ({ signature, proof: { ...proof, c: proof.c + 1n } }) },
    /the proof that .* does not hold/,
  ],
  [
    'with a wrong v',
    { issued: ({ signature, proof }) => ({ signature: { ...signature, v: signature.v + 1n }, proof }) },
    /not one on what was offered/,
  ],
  [
    'with A of nothing',
    { issued: ({ signature, proof }) => ({ signature: { ...signature, A: 0n }, proof }) },
    /the proof that .* does not hold/,
  ],
  ['with an e that is no prime', { e: compositeE('svc-demo.fast') }, /not one on what was offered/],
  [
    'with shares of attributes that are not random blind',
    { shares: () => new Map([[2, 1n]]) },
    /expected the issuer's shares/,
  ],
]

for (const [what, wrongs, message] of NOT_AS_OFFERED)
  Issuance(`a credential ${what} is not kept, nor the one beside it`, () =>
    withWallet(async wallet => {
      const answer = issuing([LOT, NOTE], [{}, wrongs])
      const { outcome, calls } = await playIssuing(offering([LOT, NOTE], answer), { wallet })
      assertFailed(outcome, 'wrong-credential', message)
      assert.equal(calls, ['GET /', 'POST /commitments', 'DELETE /'])
      assert.equal(held(wallet), [])
    }),
  )

const RANDOM_BLIND_WRONGS: readonly (readonly [what: string, wrongs: Wrongs, message: RegExp])[] = [
  ['without its share', { shares: () => new Map() }, /expected the issuer's shares/],
  [
    'with shares of other attributes too',
    { shares: shares => new Map([...shares, [2, 1n]]) },
    /the issuer's shares/,
  ],
  ['with a share of another attribute', { shares: () => new Map([[4, 1n]]) }, /expected the issuer's shares/],
  ['with a share that is too large', { shares: () => new Map([[3, 2n ** 255n]]) }, /at most 255 bits/],
  ['with another share than it was signed with', { hiddenShare: 1n }, /not one on what was offered/],
]

for (const [what, wrongs, message] of RANDOM_BLIND_WRONGS)
  Issuance(`a random blind value ${what} is not kept`, () =>
    withWallet(async wallet => {
      const { outcome } = await playIssuing(offering([LOT], issuing([LOT], [wrongs])), { wallet })
      assertFailed(outcome, 'wrong-credential', message)
      assert.equal(held(wallet), [])
    }),
  )

Issuance('a signature with another key of the issuer than the offer names is not kept', () =>
  withWallet(async wallet => {
    const student: Requested = {
      credential: 'svc-demo.uni.student',
      attributes: { university: 'A', studentnumber: '1', level: 'b' },
      validity: EXPIRES,
      keyCounter: 1,
    }
    const answer = issuing([student], [{ keyCounter: 0 }])
    const { outcome } = await playIssuing(offering([student], answer), { wallet })
    assertFailed(outcome, 'wrong-credential', /the proof that .* does not hold/)
  }),
)

const sigs = (change: (sig: object) => object[]): Answer => {
  return (response, { body }) =>
    json({ proofStatus: 'VALID', sigs: change(JSON.parse(JSON.stringify(issue(body, 0, NOTE)))) })(response)
}
const MALFORMED: readonly (readonly [what: string, answer: Answer, message: RegExp])[] = [
  ['one signature too many', sigs(sig => [sig, sig]), /sigs: expected 1, got 2/],
  ['no signature', sigs(() => []), /sigs: expected 1, got 0/],
  ['nothing for one', sigs(() => [{}]), /signature: expected an object/],
  [
    "a keyshare server's part",
    sigs(sig => [
      { ...sig, signature: { ...('signature' in sig && Object(sig.signature)), KeyshareP: 'AQ==' } },
    ]),
    /expected neither KeyshareP/,
  ],
  ['a witness', sigs(sig => [{ ...sig, nonrev: {} }]), /nor nonrev/],
]

for (const [what, answer, message] of MALFORMED)
  Issuance(`an answer with ${what} is none`, () =>
    withWallet(async wallet => {
      const { outcome, calls } = await playIssuing(offering([NOTE], answer), { wallet })
      assertFailed(outcome, 'malformed-answer', message)
      assert.is(calls.at(-1), 'DELETE /')
      assert.equal(held(wallet), [])
    }),
  )

Issuance('proofs that are not valid bring no credential', () =>
  withWallet(async wallet => {
    const { outcome } = await playIssuing(offering([NOTE], json({ proofStatus: 'INVALID' })), { wallet })
    assertFailed(outcome, 'not-valid', /INVALID/)
  }),
)

type Change = Partial<Record<keyof Requested | 'revocationSupported', unknown>>
const REFUSED: readonly (readonly [
  what: string,
  of: Requested,
  change: Change,
  reason: string,
  message: RegExp,
])[] = [
  ['of an unknown type', NOTE, { credential: 'svc-demo.fast.crown' }, 'bad-offer', /of the schemes/],
  ['with a key that is not there', NOTE, { keyCounter: 3 }, 'bad-offer', /key of its issuer, got number 3/],
  [
    'with a key that has expired',
    NOTE,
    { credential: 'svc-demo.old.relic', attributes: { value: 'x' } },
    'bad-offer',
    /that has not expired/,
  ],
  ['with an unknown attribute', NOTE, { attributes: { text: 'a', txet: 'b' } }, 'bad-offer', /got 1 others/],
  ['without a required attribute', NOTE, { attributes: {} }, 'bad-offer', /note\.text: expected a value/],
  [
    'with a value for a random blind attribute',
    LOT,
    { attributes: { draw: 'a', number: '1' } },
    'bad-offer',
    /./,
  ],
  [
    'with wrong random blind names',
    BALLOT,
    { randomblindIDs: ['votingnumber'] },
    'bad-offer',
    /random blind/,
  ],
  ['without random blind names', BALLOT, { randomblindIDs: [] }, 'bad-offer', /random blind/],
  [
    'with random blind names that it has not',
    NOTE,
    { randomblindIDs: ['text'] },
    'bad-offer',
    /random blind/,
  ],
  ['that has expired', NOTE, { validity: NOW_SEC }, 'bad-offer', /ends in the future/],
  ['without an end', NOTE, { validity: undefined }, 'bad-offer', /ends in the future/],
  ['that ends in a thousand years', NOTE, { validity: NOW_SEC + 2 ** 36 }, 'bad-offer', /ends in the future/],
  ['that can be revoked', NOTE, { revocationSupported: true }, 'unsupported', /cannot be revoked/],
  [
    'of a scheme with a keyshare server',
    NOTE,
    { credential: 'svc-keyshare.shop.loyalty' },
    'unsupported',
    /without a keyshare server/,
  ],
]

for (const [what, of, change, reason, message] of REFUSED)
  Issuance(`an offer ${what} is refused before the user is asked`, () =>
    withWallet(async wallet => {
      const offer = { ...of, ...change } as Requested // wrong on purpose
      const { outcome, calls } = await playIssuing(offering([offer]), {
        wallet,
        handlers: { consent: () => Promise.reject(new Error('nothing to ask')) },
      })
      assertFailed(outcome, reason, message)
      assert.equal(calls, ['GET /', 'DELETE /'])
    }),
  )

Issuance('a credential that is lost before it is stored takes nothing else with it', () =>
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
    return { ...draft, finish: nonce => ({ ...draft.finish(nonce), receive }) }
  }
}

Issuance.run()
