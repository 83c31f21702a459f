/** Issuance sessions against servers that offer or issue invalid credentials: the wallet keeps nothing of it (spec/cryptography#9, #13, #16). @module */
import * as assert from 'uvu/assert'
import { findSignaturePrime } from '../../crypto/issuance.ts'
import { isProbablePrime } from '../../crypto/prime.ts'
import { parseIssuerId } from '../../protocol/ids.ts'
import { suite } from '../suite.ts'
import { arithmetic, deps } from './demo-wallets.ts'
import { type Answer, json } from './fake-server.ts'
import { BALLOT, EXPIRES, held, LOT, NOTE, offering, playIssuing, withWallet } from './issuance-play.ts'
import { issue, issuing, type Requested, type Wrongs } from './issuer.ts'
import { assertFailed } from './play.ts'
import { NOW_SEC, schemes } from './support.ts'

const Hostile = suite('issuance by servers that are not to be trusted')

/** A composite number in the range for the primes of signatures. It has no small factors, so that an issuer can sign with it. */
function compositeE(issuer: string): bigint {
  const { n = 0n } = schemes.publicKey(parseIssuerId(issuer), 0) ?? {}
  let e = findSignaturePrime(arithmetic, n, deps.randomBytes)
  const hasSmallFactor = (): boolean =>
    Array.from({ length: 5000 }, (_, i) => 2n * BigInt(i) + 3n).some(d => e % d === 0n)
  while (hasSmallFactor() || isProbablePrime(arithmetic, e)) e += 2n
  return e
}

const NOT_AS_OFFERED: readonly (readonly [what: string, wrongs: Wrongs, message: RegExp])[] = [
  ['signed two weeks ago', { weeks: -2 }, /dated this week or one week before or after/],
  ['signed two weeks ahead', { weeks: 2 }, /dated this week or one week before or after/],
  [
    'with another value',
    { attributes: { text: 'changed' } },
    /expected a signature on the offered attributes/,
  ],
  [
    'with a value that was not offered',
    { attributes: { extra: 'more' } },
    /expected a signature on the offered attributes/,
  ],
  ['over another nonce', { n2: 5n }, /expected a valid proof that .* was signed/],
  [
    'with a wrong proof',
    { issued: ({ signature, proof }) => ({ signature, proof: { ...proof, c: proof.c + 1n } }) },
    /expected a valid proof that .* was signed/,
  ],
  [
    'with a wrong v',
    { issued: ({ signature, proof }) => ({ signature: { ...signature, v: signature.v + 1n }, proof }) },
    /expected a signature on the offered attributes/,
  ],
  [
    'with an A of 0',
    { issued: ({ signature, proof }) => ({ signature: { ...signature, A: 0n }, proof }) },
    /expected a valid proof that .* was signed/,
  ],
  [
    'with a composite e',
    { e: compositeE('svc-demo.fast') },
    /expected a signature on the offered attributes/,
  ],
  [
    'with shares of attributes that are not random blind',
    { shares: () => new Map([[2, 1n]]) },
    /expected the issuer's shares/,
  ],
]

for (const [what, wrongs, message] of NOT_AS_OFFERED)
  Hostile(`a credential ${what} is not stored, nor the right one in the same answer`, () =>
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
  [
    'with another share than it was signed with',
    { hiddenShare: 1n },
    /expected a signature on the offered attributes/,
  ],
]

for (const [what, wrongs, message] of RANDOM_BLIND_WRONGS)
  Hostile(`a credential with a random blind value ${what} is not stored`, () =>
    withWallet(async wallet => {
      const { outcome } = await playIssuing(offering([LOT], issuing([LOT], [wrongs])), { wallet })
      assertFailed(outcome, 'wrong-credential', message)
      assert.equal(held(wallet), [])
    }),
  )

Hostile('a credential signed with another key of the issuer than the offer names is not stored', () =>
  withWallet(async wallet => {
    const student: Requested = {
      credential: 'svc-demo.uni.student',
      attributes: { university: 'A', studentnumber: '1', level: 'b' },
      validity: EXPIRES,
      keyCounter: 1,
    }
    const answer = issuing([student], [{ keyCounter: 0 }])
    const { outcome } = await playIssuing(offering([student], answer), { wallet })
    assertFailed(outcome, 'wrong-credential', /expected a valid proof that .* was signed/)
  }),
)

const sigs = (change: (sig: object) => object[]): Answer => {
  return (response, { body }) =>
    json({ proofStatus: 'VALID', sigs: change(JSON.parse(JSON.stringify(issue(body, 0, NOTE)))) })(response)
}
const MALFORMED: readonly (readonly [what: string, answer: Answer, message: RegExp])[] = [
  ['one signature too many', sigs(sig => [sig, sig]), /sigs: expected 1, got 2/],
  ['no signature', sigs(() => []), /sigs: expected 1, got 0/],
  ['an empty object for a signature', sigs(() => [{}]), /signature: expected an object/],
  [
    "a keyshare server's part",
    sigs(sig => [
      { ...sig, signature: { ...('signature' in sig && Object(sig.signature)), KeyshareP: 'AQ==' } },
    ]),
    /expected no KeyshareP/,
  ],
  ['half a witness', sigs(sig => [{ ...sig, nonrev: {} }]), /sigs\[0\]\.nonrev/],
]

for (const [what, answer, message] of MALFORMED)
  Hostile(`an answer with ${what} is malformed`, () =>
    withWallet(async wallet => {
      const { outcome, calls } = await playIssuing(offering([NOTE], answer), { wallet })
      assertFailed(outcome, 'malformed-answer', message)
      assert.is(calls.at(-1), 'DELETE /')
      assert.equal(held(wallet), [])
    }),
  )

Hostile('if the proofs are not VALID, no credential is stored', () =>
  withWallet(async wallet => {
    const { outcome } = await playIssuing(offering([NOTE], json({ proofStatus: 'INVALID' })), { wallet })
    assertFailed(outcome, 'not-valid', /INVALID/)
  }),
)

type Change = Partial<Record<keyof Requested, unknown>>
const REFUSED: readonly (readonly [
  what: string,
  of: Requested,
  change: Change,
  reason: string,
  message: RegExp,
])[] = [
  ['of an unknown type', NOTE, { credential: 'svc-demo.fast.crown' }, 'bad-offer', /of the schemes/],
  ['with an unknown key', NOTE, { keyCounter: 3 }, 'bad-offer', /key of its issuer, got number 3/],
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
    'with random blind names for another attribute',
    NOTE,
    { randomblindIDs: ['text'] },
    'bad-offer',
    /random blind/,
  ],
  ['that has expired', NOTE, { validity: NOW_SEC }, 'bad-offer', /ends in the future/],
  ['without an end', NOTE, { validity: undefined }, 'bad-offer', /ends in the future/],
  ['that ends in a thousand years', NOTE, { validity: NOW_SEC + 2 ** 36 }, 'bad-offer', /ends in the future/],
  [
    'of a scheme at whose keyshare server the wallet has no account',
    NOTE,
    { credential: 'svc-keyshare.shop.loyalty', attributes: { number: '3' } },
    'not-registered',
    /register first/,
  ],
]

for (const [what, of, change, reason, message] of REFUSED)
  Hostile(`an offer ${what} is refused before the user is asked`, () =>
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

Hostile('more credentials than one message can commit to are refused before the user is asked', () =>
  withWallet(async wallet => {
    const { outcome } = await playIssuing(offering(Array.from({ length: 257 }, () => NOTE)), {
      wallet,
      handlers: { consent: () => Promise.reject(new Error('nothing to ask')) },
    })
    assertFailed(outcome, 'malformed-answer', /credentials: expected at most 256, got 257/)
  }),
)

Hostile.run()
