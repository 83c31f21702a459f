/** The judgement of a disclosure (spec/interface#2.8; spec/cryptography#12.1 to #12.3): its order, and every rule except those for numbers. @module */
import * as assert from 'uvu/assert'
import type { ProofList } from '../../crypto/proof-list.ts'
import { ExceptionError, UnknownPublicKeyError } from '../../protocol/errors.ts'
import { checkDisclosure } from '../../sessions/check-disclosure.ts'
import { suite } from '../suite.ts'
import {
  type Case,
  EMPTY,
  IDCARD,
  judge,
  NOTE,
  NOW_SEC,
  OVER18,
  proofOf,
  toCheck,
  told,
  WEEK_SEC,
  YES,
} from './judge.ts'

async function failure(input: Case): Promise<unknown> {
  return judge(input).then(
    () => assert.unreachable('expected an error'),
    (error: unknown) => error,
  )
}

async function never(): Promise<boolean> {
  throw new Error('nothing to verify')
}

const Judgement = suite('the judgement of a disclosure')

Judgement(
  'verification gets all proofs with key, group, number of attributes and revocation index, the nonce and context 1',
  async () => {
    const proofs = [
      { disclosed: { 4: 'yes' } },
      { type: 'svc-keyshare.keyshare.mail' },
      { type: 'svc-keyshare.shop.voucher' },
    ]
    const seen: ProofList[] = []
    await checkDisclosure(toCheck({ ...YES, proofs }), async given => seen.push(given) > 0)
    const [message] = seen
    assert.equal(
      message?.disclosures.map(({ key, group, ...type }) => [
        key.counter,
        group,
        type.attributeCount,
        type.revocationIndex,
      ]),
      [
        [0, '.', 5, null],
        [0, 'svc-keyshare', 2, null],
        [0, 'svc-keyshare', 2, 3],
      ],
    )
    assert.equal([message?.context, message?.nonce, message?.isSignature], [1n, 5n, false])
  },
)

Judgement('wrong proofs are INVALID, and the judgement has none of their attributes', async () => {
  assert.equal(await judge(YES, false), { proofStatus: 'INVALID' })
})

Judgement(
  'without proofs nothing is verified: VALID if all items are optional, else MISSING_ATTRIBUTES',
  async () => {
    const optional = toCheck({ disclose: [[[`${IDCARD}.over18`], []]], indices: [[]] })
    assert.equal(await checkDisclosure(optional, never), { proofStatus: 'VALID', disclosed: [[]] })
    const required = await checkDisclosure(toCheck({ disclose: OVER18, indices: [[]] }), never)
    assert.equal(required, { proofStatus: 'MISSING_ATTRIBUTES', disclosed: [null] })
  },
)

Judgement(
  'missing metadata, or metadata of an unknown type, is INVALID before any proof is verified',
  async () => {
    const proofs = [
      EMPTY,
      { ...EMPTY, aDisclosed: new Map([[1, 0n]]) },
      { ...EMPTY, aDisclosed: new Map([[1, 2n ** 192n]]) },
      proofOf({ type: 'svc-demo.gov.nope' }),
    ]
    for (const proof of proofs)
      assert.equal(await checkDisclosure(toCheck({ disclose: OVER18, proofs: [proof] }), never), {
        proofStatus: 'INVALID',
      })
  },
)

Judgement('an unknown key of a known issuer is UNKNOWN_PUBLIC_KEY', async () => {
  const error = await failure({ ...YES, proofs: [{ keyCounter: 7 }] })
  assert.ok(error instanceof UnknownPublicKeyError)
  assert.is(Object(error).message, 'Missing public key: svc-demo.gov has no key 7')
})

Judgement('a proof with a range proof, which is not checked, is INVALID', async () => {
  assert.equal(await judge({ ...YES, hasUncheckedParts: true }), { proofStatus: 'INVALID' })
})

Judgement('two instances of a singleton are INVALID, of another type they are not', async () => {
  const registration = { type: 'svc-demo.gov.registration' }
  assert.equal(await told({ ...YES, proofs: [registration, registration] }), ['INVALID'])
  assert.equal(await told({ ...YES, proofs: [{ disclosed: { 4: 'yes' } }, {}] }), ['VALID', ['yes']])
})

Judgement('a proof index one past the end is INVALID, and a larger one is an error', async () => {
  assert.equal(await told({ ...YES, indices: [[[1, 4]]] }), ['INVALID'])
  const error = await failure({ ...YES, indices: [[[2, 4]]] })
  assert.ok(error instanceof ExceptionError)
  assert.is(Object(error).message, 'Credential index out of range: expected one below 1, got 2')
})

Judgement('a key may sign up to and including its expiry; a credential signed later is EXPIRED', async () => {
  const input = toCheck({ ...YES, proofs: [{ signedAtSec: NOW_SEC - WEEK_SEC, disclosed: { 4: 'yes' } }] })
  const statusWith = async (expiresAtSec: number): Promise<string> => {
    const publicKey: typeof input.schemes.publicKey = (issuer, counter) => {
      const key = input.schemes.publicKey(issuer, counter)
      return key && { ...key, expiresAtSec }
    }
    const { proofStatus } = await checkDisclosure(
      { ...input, schemes: { ...input.schemes, publicKey } },
      async () => true,
    )
    return proofStatus
  }
  assert.is(await statusWith(NOW_SEC - WEEK_SEC), 'VALID')
  assert.is(await statusWith(NOW_SEC - WEEK_SEC - 1), 'EXPIRED')
})

Judgement(
  'a credential is valid up to and including its expiry, and later with skipExpiryCheck for its type',
  async () => {
    const expired = (expiresAtSec: number, members = {}): Promise<unknown[]> =>
      told({
        ...YES,
        proofs: [{ signedAtSec: NOW_SEC - 9 * WEEK_SEC, expiresAtSec, disclosed: { 4: 'yes' } }],
        members,
      })
    assert.equal(await expired(NOW_SEC), ['VALID', ['yes']])
    assert.equal(await expired(NOW_SEC - WEEK_SEC), ['EXPIRED', ['yes']])
    assert.equal(await expired(NOW_SEC - WEEK_SEC, { skipExpiryCheck: [IDCARD] }), ['VALID', ['yes']])
    assert.equal(await expired(NOW_SEC - WEEK_SEC, { skipExpiryCheck: [NOTE] }), ['EXPIRED', ['yes']])
  },
)

Judgement(
  'a credential signed after the expiry of its key is EXPIRED, even with skipExpiryCheck',
  async () => {
    const relic = 'svc-demo.old.relic'
    const signed = (signedAtSec: number): Promise<unknown[]> => {
      const proofs = [{ type: relic, signedAtSec, disclosed: { 2: 'x' } }]
      const members = { skipExpiryCheck: [relic] }
      return told({ disclose: [[[`${relic}.value`]]], proofs, indices: [[[0, 2]]], members })
    }
    assert.equal(await signed(2600 * WEEK_SEC), ['VALID', ['x']])
    assert.equal(await signed(2700 * WEEK_SEC), ['EXPIRED', ['x']])
  },
)

Judgement('MISSING_ATTRIBUTES has precedence over EXPIRED', async () => {
  const proofs = [{ signedAtSec: 0, expiresAtSec: WEEK_SEC, disclosed: { 4: 'yes' } }]
  assert.equal(await told({ ...YES, proofs, indices: [[]] }), ['MISSING_ATTRIBUTES', null, ['Eyes']])
})

Judgement.run()
