import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import type { CommitmentProof } from '../../crypto/commitment.ts'
import { draftProofs, type ProofList, verifyProofs } from '../../crypto/proof-list.ts'
import { systemParameters } from '../../crypto/public-key.ts'
import { suite } from '../suite.ts'
import {
  CHALLENGE,
  changeCommitment as change,
  commit,
  credentialOf,
  isValid,
  openssl,
  proveTo,
  SECRET_KEY,
  SIZES,
  withEntry,
  without,
} from './proofs.ts'
import { keyOf, type RecordedCommitment, readMessage, readVectors } from './vectors.ts'

const FAST = 'svc-demo.fast-0'
const power = (bits: number): bigint => 2n ** BigInt(bits)

const Law = suite('commitments: the verifier accepts made commitments (spec/cryptography#7.1)')

for (const id of SIZES)
  Law(`${id}: commitments with and without random blind attributes are valid`, () => {
    for (const randomBlind of [[], [2], [2, 3]]) assert.ok(isValid(commit(id, randomBlind).list))
  })
Law("U = S^v' R_0^m_u prod R_i^m'_i, and v', m' have their sizes", () => {
  const { publicKey: key } = keyOf(FAST)
  const { list, secrets } = commit(FAST, [3])
  const { vPrime, shares } = secrets
  const R = new Map([...shares, [0, SECRET_KEY]])
  assert.is(list.commitments[0]?.proof.U, openssl.keyProduct(key, { S: vPrime, R }))
  assert.equal([...shares.keys()], [3])
  const { LvPrime } = systemParameters(key.n)
  assert.ok(vPrime < power(LvPrime) && (shares.get(3) ?? power(255)) < power(255))
})
Law('every random number has its own size (spec/cryptography#17)', () => {
  const { LvPrime, LvPrimeCommit, LmCommit } = systemParameters(keyOf('svc-demo.gov-0').publicKey.n)
  const asked: number[] = []
  const source = (n: number): Uint8Array => {
    asked.push(8 * n)
    return randomBytes(n)
  }
  commit('svc-demo.gov-0', [4], { source })
  assert.equal(asked, [592, LvPrime, LvPrimeCommit, 256, LmCommit])
})
Law('disclosures and commitments under keys of all sizes share one challenge and one secret key', () => {
  const drafts = draftProofs(
    openssl,
    {
      disclosures: SIZES.slice(0, 2).map(id => ({ credential: credentialOf(id), disclosed: [2] })),
      commitments: SIZES.map(id => ({ key: keyOf(id).publicKey, randomBlind: [] })),
      secretKey: SECRET_KEY,
      context: 1n,
      isSignature: false,
    },
    randomBytes,
  )
  const list = proveTo(drafts, SIZES.slice(0, 2), SIZES)
  assert.ok(isValid(list))
  assert.equal(
    drafts.contributions.disclosures.map(([A]) => A),
    list.disclosures.map(({ proof }) => proof.A),
  )
  assert.not.ok(isValid({ ...list, commitments: list.commitments.toReversed() }))
  assert.not.ok(isValid({ ...list, commitments: list.commitments.slice(1) }))
  assert.not.ok(isValid({ ...list, disclosures: [] }))
})
Law('with BigInt alone the same holds', () => {
  assert.ok(isValid(commit(FAST, [2], { arithmetic: bigintArithmetic }).list))
})
Law('drafts answer one nonce; a second answer would reveal the secret key', () => {
  const commitments = [{ key: keyOf(FAST).publicKey, randomBlind: [] }]
  const facts = { disclosures: [], commitments, secretKey: SECRET_KEY, context: 1n, isSignature: false }
  const drafts = draftProofs(openssl, facts, randomBytes)
  drafts.finish(1n)
  assert.throws(() => drafts.finish(2n), /proofs: expected one nonce/)
})
Law('a random blind attribute without a base is refused', () => {
  assert.throws(() => commit(FAST, [12]), /base index: expected below 12, got 12/)
})
Law.run()

const Refusals = suite('commitments: what is refused (spec/cryptography#7.1, #7.4 and #16)')

const { list: plain } = commit(FAST, [])
const { list: blind } = commit(FAST, [3])
const { p, q, pPrime, qPrime } = keyOf(FAST).privateKey
const { n } = keyOf(FAST).publicKey
/** The order of the bases: an exponent may change by this without changing its power. */
const ORDER = pPrime * qPrime
const { LvPrimeCommit, LsCommit, LmCommit } = systemParameters(n)

Refusals('another challenge: context, nonce, kind of session', () => {
  assert.ok(isValid(plain) && isValid(blind))
  assert.not.ok(isValid({ ...blind, context: 2n }))
  assert.not.ok(isValid({ ...blind, nonce: blind.nonce + 1n }))
  assert.not.ok(isValid({ ...blind, isSignature: true }))
})
Refusals('each number changed by one', () => {
  const shifts: ((proof: CommitmentProof) => Partial<CommitmentProof>)[] = [
    ({ U }) => ({ U: U + 1n }),
    ({ c }) => ({ c: c + 1n }),
    ({ vPrimeResponse }) => ({ vPrimeResponse: vPrimeResponse + 1n }),
    ({ sResponse }) => ({ sResponse: sResponse + 1n }),
    ({ mUserResponses: m }) => ({ mUserResponses: withEntry(m, 3, (m.get(3) ?? 0n) + 1n) }),
  ]
  for (const shift of shifts) assert.not.ok(isValid(change(blind, shift)))
})
Refusals('row 2: a number of the wallet’s choice in any attribute of the credential to be', () => {
  // a right proof about U = S^v' R_0^m R_i^x, from a wallet that tries to add x to attribute i
  for (const index of [2, 1, 5]) {
    const { list } = commit(FAST, [index])
    if (index > 1) assert.ok(isValid(list), 'the equations hold')
    for (const randomBlind of [[], [3]]) {
      const commitments = list.commitments.map(each => ({ ...each, randomBlind }))
      assert.not.ok(isValid({ ...list, commitments }))
    }
  }
})
Refusals('row 2: random blind attributes: the secret key among them, one missing, one too many', () => {
  const secretKeyTwice = change(plain, ({ sResponse }) => ({ mUserResponses: new Map([[0, sResponse]]) }))
  for (const randomBlind of [[], [0]]) {
    const commitments = secretKeyTwice.commitments.map(each => ({ ...each, randomBlind }))
    assert.not.ok(isValid({ ...secretKeyTwice, commitments }))
  }
  assert.not.ok(
    isValid(change(blind, ({ mUserResponses }) => ({ mUserResponses: without(mUserResponses, 3) }))),
  )
  assert.not.ok(isValid(change(blind, ({ mUserResponses: m }) => ({ mUserResponses: withEntry(m, 4, 0n) }))))
  for (const index of [-1, 0.5, 12, 2 ** 31, Number.NaN])
    assert.not.ok(isValid(change(plain, () => ({ mUserResponses: new Map([[index, 0n]]) }))))
})
Refusals('rows 2 and 5: indices for which the key has no base', () => {
  const moved = change(blind, ({ mUserResponses: m }) => ({
    mUserResponses: new Map([[12, m.get(3) ?? 0n]]),
  }))
  const commitments = moved.commitments.map(each => ({ ...each, randomBlind: [12] }))
  assert.not.ok(isValid({ ...moved, commitments }))
})
Refusals('row 6: U outside 1 to n - 1, or without an inverse', () => {
  for (const U of [0n, -1n, n, p, q * 2n]) assert.not.ok(isValid(change(plain, () => ({ U }))))
  assert.not.ok(isValid(change(plain, ({ U }) => ({ U: U + n }))))
})
Refusals('row 7: a response that is too large, though its power is the same', () => {
  const tooLarge: ((proof: CommitmentProof) => Partial<CommitmentProof>)[] = [
    ({ vPrimeResponse: x }) => ({ vPrimeResponse: x + ORDER * power(LvPrimeCommit + 1 - 1020) }),
    ({ sResponse: x }) => ({ sResponse: x + ORDER }),
    ({ mUserResponses: m }) => ({ mUserResponses: withEntry(m, 3, (m.get(3) ?? 0n) + ORDER) }),
    ({ vPrimeResponse: x }) => ({ vPrimeResponse: x - ORDER * power(800) }),
  ]
  for (const part of tooLarge) assert.not.ok(isValid(change(blind, part)))
  assert.ok(
    isValid(change(blind, ({ vPrimeResponse: x }) => ({ vPrimeResponse: x + ORDER }))),
    'this response is still within its size',
  )
})
Refusals('row 7: responses up to their bound reach the arithmetic, one bit more is refused before', () => {
  const unusable = new Proxy(bigintArithmetic, { get: () => assert.unreachable('no arithmetic') })
  let calls = 0
  const counting = { ...bigintArithmetic, inverse: () => 1n, keyProduct: () => BigInt(calls++) }
  const sizes: [number, (x: bigint) => Partial<CommitmentProof>][] = [
    [LvPrimeCommit + 1, vPrimeResponse => ({ vPrimeResponse })],
    [LsCommit + 2, sResponse => ({ sResponse })],
    [LmCommit + 1, x => ({ mUserResponses: new Map([[3, x]]) })],
    [256, c => ({ c })],
  ]
  for (const [bits, part] of sizes) {
    assert.not.ok(
      verifyProofs(
        unusable,
        change(blind, () => part(power(bits))),
      ),
    )
    const before = calls
    assert.not.ok(
      verifyProofs(
        counting,
        change(blind, () => part(power(bits) - 1n)),
      ),
    )
    assert.is(calls, before + 1)
  }
})
Refusals('row 8: disclosures and commitments together are at most 256', () => {
  const unusable = new Proxy(bigintArithmetic, { get: () => assert.unreachable('no arithmetic') })
  const [one] = plain.commitments
  const commitments = Array.from({ length: 257 }, () => one).filter(each => each !== undefined)
  assert.not.ok(verifyProofs(unusable, { ...plain, commitments }))
})
Refusals('the arithmetic accepts numbers of the largest sizes that pass the checks', () => {
  const largest = change(blind, () => ({
    vPrimeResponse: power(LvPrimeCommit + 1) - 1n,
    sResponse: power(LsCommit + 2) - 1n,
    mUserResponses: new Map([[3, power(LmCommit + 1) - 1n]]),
    c: power(256) - 1n,
  }))
  assert.not.ok(isValid(largest))
})
Refusals('different secret keys in one group; in different groups they are not compared', () => {
  const chosen = {
    disclosures: [{ credential: credentialOf(FAST), disclosed: [2] }],
    context: 1n,
    isSignature: false,
  }
  const commitments = [{ key: keyOf(FAST).publicKey, randomBlind: [] }]
  const drafts = draftProofs(openssl, { ...chosen, commitments, secretKey: SECRET_KEY }, randomBytes)
  const list = proveTo(drafts, [FAST], [FAST])
  assert.ok(isValid(list))
  const other: ProofList = {
    ...list,
    commitments: list.commitments.map(each => ({
      ...each,
      proof: { ...each.proof, sResponse: each.proof.sResponse + 1n },
    })),
  }
  assert.not.ok(isValid(other))
  const group = (text: string): ProofList => ({
    ...list,
    commitments: list.commitments.map(each => ({ ...each, group: text })),
  })
  assert.ok(isValid(group('a')))
})
Refusals('another key than the one that was committed to', () => {
  const key = keyOf('svc-demo.uni-0').publicKey
  const commitments = plain.commitments.map(each => ({ ...each, key }))
  assert.not.ok(isValid({ ...plain, commitments }))
})
Refusals('a proof of arbitrary numbers is refused without an exception', () => {
  const number = fc.oneof(fc.bigInt({ min: -2n, max: power(600) }), fc.bigInt({ min: 0n, max: power(1500) }))
  const proof = fc.record({
    U: number,
    c: fc.bigInt({ min: -1n, max: power(256) }),
    vPrimeResponse: number,
    sResponse: number,
    mUserResponses: fc
      .array(fc.tuple(fc.integer({ min: -1, max: 13 }), number), { maxLength: 3 })
      .map(entries => new Map(entries)),
  })
  const randomBlind = fc.array(fc.integer({ min: -1, max: 13 }), { maxLength: 2 })
  fc.assert(
    fc.property(proof, randomBlind, (each, indices) => {
      const commitments = [{ proof: each, key: keyOf(FAST).publicKey, group: '.', randomBlind: indices }]
      assert.not.ok(isValid({ ...CHALLENGE, disclosures: [], commitments }))
    }),
    { numRuns: 100 },
  )
})

type Extra = {
  readonly check: number
  readonly key: string
  readonly proofU?: RecordedCommitment
  readonly context: string
  readonly nonce: string
}
for (const { key, check, proofU, context, nonce } of readVectors<{ cases: Extra[] }>(
  'crypto/extra-checks.json',
).cases) {
  if (proofU === undefined) continue // not about commitments
  Refusals(
    `${key}, recorded: row ${check}: the equations hold, the indices are not those of the type`,
    () => {
      const message = { proofs: [proofU], keys: [key], context, nonce, isSignature: false }
      assert.ok(isValid(readMessage({ ...message, randomBlind: [2] })))
      assert.not.ok(isValid(readMessage({ ...message, randomBlind: [] })))
    },
  )
}
Refusals.run()
