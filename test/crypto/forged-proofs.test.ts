/** Forgeries whose equations hold, each refused by one check alone (spec/cryptography#7.4 and #16). @module */
import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { attributeExponent } from '../../crypto/attribute.ts'
import { hashCommit } from '../../crypto/challenge.ts'
import { contributionOfCommitment, draftCommitment } from '../../crypto/commitment.ts'
import { contributionOfDisclosure, draftDisclosure } from '../../crypto/disclosure.ts'
import { type Contribution, hide, mapValues, respond, secretProduct } from '../../crypto/draft.ts'
import type { ProofList } from '../../crypto/proof-list.ts'
import { systemParameters } from '../../crypto/public-key.ts'
import { randomInteger } from '../../crypto/random.ts'
import { signAttributes } from '../../libraries/testing/sign-attributes.ts'
import { suite } from '../suite.ts'
import { CHALLENGE, credentialOf, isValid, openssl, SECRET_KEY } from './proofs.ts'
import { keyOf } from './vectors.ts'

const FAST = 'svc-demo.fast-0'
const { publicKey: key, privateKey } = keyOf(FAST)
const KEYSHARE = 'svc-keyshare'
const ATTRIBUTE_COUNT = credentialOf(FAST).attributes.length - 1

function challengeOf(...contributions: readonly Contribution[]): bigint {
  return hashCommit([CHALLENGE.context, ...contributions.flat(), CHALLENGE.nonce], CHALLENGE.isSignature)
}

function given(contribution: Contribution | undefined): Contribution {
  if (contribution === undefined) throw new Error('expected a contribution')
  return contribution
}

/** The hash over the contributions of a message, each calculated with the challenge of its proof. */
function recalculated({ disclosures, commitments }: ProofList): bigint {
  return challengeOf(
    ...disclosures.map(each => given(contributionOfDisclosure(openssl, each))),
    ...commitments.map(each => given(contributionOfCommitment(openssl, each))),
  )
}

const facts = (group: string) => ({ key, group, attributeCount: ATTRIBUTE_COUNT, revocationIndex: null })

const Forged = suite('proofs of one message: what another challenge would allow (spec/cryptography#7.4)')

/** A proof with challenge 0, for which the equations hold with any attributes. */
const ANYTHING = {
  c: 0n,
  A: 4n,
  eResponse: 5n,
  vResponse: 6n,
  aResponses: new Map([[0, 7n]]),
  aDisclosed: new Map([
    [1, 2n ** 185n + 3n],
    [2, 12_345n],
  ]),
}

Forged('any attributes, beside a valid proof, in the group of another scheme', () => {
  const own = draftDisclosure(
    openssl,
    { credential: credentialOf(FAST), disclosed: [2] },
    hide(SECRET_KEY, 592, randomBytes),
    randomBytes,
  )
  const forged = { proof: ANYTHING, ...facts(KEYSHARE) }
  const contribution = given(contributionOfDisclosure(openssl, forged))
  const c = challengeOf(own.contribution, contribution)
  const disclosures = [{ proof: own.respond(c), ...facts('.') }, forged]
  const list = { ...CHALLENGE, disclosures, commitments: [] }
  assert.is(recalculated(list), c, 'the equations hold')
  assert.not.ok(isValid(list))
})

Forged('a commitment to numbers that the prover does not know, in the group of another scheme', () => {
  const own = draftCommitment(
    openssl,
    { key, randomBlind: [] },
    hide(SECRET_KEY, 592, randomBytes),
    randomBytes,
  )
  const proof = { U: 9n, c: 0n, vPrimeResponse: 5n, sResponse: 7n, mUserResponses: new Map() }
  const contribution = given(contributionOfCommitment(openssl, { proof, key }))
  const c = challengeOf(own.contribution, contribution)
  const commitments = [
    { proof: own.respond(c).proof, key, group: '.', randomBlind: [] },
    { proof, key, group: KEYSHARE, randomBlind: [] },
  ]
  const list = { ...CHALLENGE, disclosures: [], commitments }
  assert.is(recalculated(list), c, 'the equations hold')
  assert.not.ok(isValid(list))
})

Forged.run()

const Pooled = suite('proofs of one message: two users (spec/cryptography#7.4)')

/** Three messages with a proof for each secret key: two disclosures, a disclosure and a commitment, and two commitments. */
function pooled(secrets: readonly bigint[], groups: readonly string[]): readonly ProofList[] {
  const randomizer = randomInteger(592, randomBytes)
  const drafts = secrets.map(secretKey => {
    const attributes = credentialOf(FAST).attributes
    const input = { key, privateKey, secretKey, attributes }
    const credential = { key, attributes, signature: signAttributes(openssl, input, randomBytes) }
    const secret = { value: secretKey, randomizer }
    return {
      disclosure: draftDisclosure(openssl, { credential, disclosed: [2] }, secret, randomBytes),
      commitment: draftCommitment(openssl, { key, randomBlind: [] }, secret, randomBytes),
    }
  })
  const listOf = (kinds: readonly ('disclosure' | 'commitment')[]): ProofList => {
    const used = drafts.map((draft, i) => draft[kinds[i] ?? 'commitment'])
    const c = challengeOf(...used.map(({ contribution }) => contribution))
    const made = used.map((draft, i) => ({ made: draft.respond(c), group: groups[i] ?? '' }))
    return {
      ...CHALLENGE,
      disclosures: made.flatMap(({ made, group }) => ('A' in made ? [{ proof: made, ...facts(group) }] : [])),
      commitments: made.flatMap(({ made, group }) =>
        'A' in made ? [] : [{ proof: made.proof, key, group, randomBlind: [] }],
      ),
    }
  }
  return [listOf(['disclosure', 'disclosure']), listOf(['disclosure', 'commitment']), listOf([])]
}
const USERS = [SECRET_KEY, SECRET_KEY + 2n]

for (const group of ['.', KEYSHARE])
  Pooled(`proofs of two users are not accepted as those of one: ${group}`, () => {
    for (const list of pooled(USERS, [group, group])) assert.not.ok(isValid(list))
  })

Pooled('each of these proofs is valid: secret keys in two schemes are not compared', () => {
  for (const list of pooled(USERS, ['.', KEYSHARE])) assert.ok(isValid(list))
})

Pooled.run()

const Indices = suite('a proof that is right about the wrong attributes (spec/cryptography#16 row 4)')

/** Proves a credential so that the equations hold, with any indices disclosed. */
function proveDisclosing(disclosed: readonly number[]): ProofList {
  const { signature, attributes } = credentialOf(FAST)
  const { Le, Lm, LRA, LeCommit, LvCommit, LmCommit } = systemParameters(key.n)
  const values = [SECRET_KEY, ...attributes].map((value, index) => [index, value] as const)
  const hidden = new Map(
    values
      .filter(([index]) => !disclosed.includes(index))
      .map(([index, value]) => [index, hide(attributeExponent(value, Lm), LmCommit, randomBytes)]),
  )
  const r = randomInteger(LRA, randomBytes)
  const A = (signature.A * openssl.power(key.S, r, key.n)) % key.n
  const e = hide(signature.e - 2n ** BigInt(Le - 1), LeCommit, randomBytes)
  const v = hide(signature.v - signature.e * r, LvCommit, randomBytes)
  const R = mapValues(hidden, ({ randomizer }) => randomizer)
  const product = secretProduct(openssl, key, { S: v.randomizer, R })
  const c = challengeOf([A, (openssl.power(A, e.randomizer, key.n) * product) % key.n])
  const proof = {
    c,
    A,
    eResponse: respond(e, c),
    vResponse: respond(v, c),
    aResponses: mapValues(hidden, each => respond(each, c)),
    aDisclosed: new Map(values.filter(([index]) => disclosed.includes(index))),
  }
  return { ...CHALLENGE, disclosures: [{ proof, ...facts('.') }], commitments: [] }
}

Indices('the metadata is disclosed, and the secret key is not', () => {
  for (const [disclosed, expected] of [
    [[1, 2], true],
    [[2], false],
    [[0, 1, 2], false],
  ] as const) {
    const list = proveDisclosing(disclosed)
    assert.is(recalculated(list), list.disclosures[0]?.proof.c, 'the equations hold')
    assert.is(isValid(list), expected)
  }
})

Indices.run()

const Ranges = suite('A and U outside 1 to n - 1, with which the equations hold too (spec/cryptography#16.6)')

/** A disclosure and a commitment whose numbers, A and U, were hashed and sent with these additions. */
function provedWith(more: { readonly A?: bigint; readonly U?: bigint }): ProofList {
  const secret = hide(SECRET_KEY, 592, randomBytes)
  const choice = { credential: credentialOf(FAST), disclosed: [2] }
  const disclosure = draftDisclosure(openssl, choice, secret, randomBytes)
  const commitment = draftCommitment(openssl, { key, randomBlind: [] }, secret, randomBytes)
  const [[A, ...others], [U, second]] = [disclosure.contribution, commitment.contribution]
  const [sentA, sentU] = [A + (more.A ?? 0n), U + (more.U ?? 0n)]
  const c = hashCommit([1n, sentA, ...others, sentU, second, CHALLENGE.nonce], false)
  return {
    ...CHALLENGE,
    disclosures: [{ proof: { ...disclosure.respond(c), A: sentA }, ...facts('.') }],
    commitments: [{ proof: { ...commitment.respond(c).proof, U: sentU }, key, group: '.', randomBlind: [] }],
  }
}

Ranges('A and U beyond n are refused, even if the challenge was calculated over the sent numbers', () => {
  assert.ok(isValid(provedWith({})))
  assert.not.ok(isValid(provedWith({ A: key.n })))
  assert.not.ok(isValid(provedWith({ U: key.n })))
})

Ranges('A = 0 and A = n make every power 0 for any attributes, and are refused', () => {
  for (const A of [0n, key.n]) {
    const c = challengeOf([A, 0n])
    const proof = { ...ANYTHING, c, A }
    const list = { ...CHALLENGE, disclosures: [{ proof, ...facts('.') }], commitments: [] }
    assert.is(recalculated(list), c, 'the equations hold')
    assert.not.ok(isValid(list))
  }
})

Ranges.run()
