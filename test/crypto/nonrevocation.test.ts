import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { bitLength } from '../../crypto/bytes.ts'
import { hashCommit } from '../../crypto/challenge.ts'
import { type DisclosureProof, draftDisclosure, isDisclosureProper } from '../../crypto/disclosure.ts'
import { hide } from '../../crypto/draft.ts'
import { type ProofList, verifyProofs } from '../../crypto/proof-list.ts'
import { systemParameters } from '../../crypto/public-key.ts'
import { readAccumulator, signAccumulator } from '../../crypto/revocation/accumulator.ts'
import { resign, revoke } from '../../crypto/revocation/authority.ts'
import { ALPHA_RANDOMIZER_BITS, type NonRevocationProof } from '../../crypto/revocation/proof.ts'
import { updateWitness } from '../../crypto/revocation/witness.ts'
import { suite } from '../suite.ts'
import {
  CHALLENGE,
  change,
  changeFirst,
  createProofs,
  isValid,
  openssl,
  SECRET_KEY,
  withEntry,
  without,
} from './proofs.ts'
import { EMPTY_INDEX, issueRevocable, type OthersOf, proveNotRevoked, REVOCATION_INDEX } from './revocable.ts'
import { keyOf } from './vectors.ts'

const FAST = 'svc-demo.fast-0'
const { publicKey: key, privateKey } = keyOf(FAST)
const { Ln } = systemParameters(key.n)
/** The order of the bases: an exponent may change by this without changing its power. */
const ORDER = privateKey.pPrime * privateKey.qPrime
const revocable = issueRevocable(FAST)
const message = proveNotRevoked(revocable)

function changeNonRevocation(part: (proof: NonRevocationProof) => Partial<NonRevocationProof>): ProofList {
  return change(message, ({ nonRevocation }) =>
    nonRevocation ? { nonRevocation: { ...nonRevocation, ...part(nonRevocation) } } : {},
  )
}
/** A message whose prover hashed and sent another C_r or C_u, with the same powers modulo n. */
function provedWith(name: 'Cr' | 'Cu', by: (number: bigint) => bigint): ProofList {
  const draft = draftDisclosure(
    openssl,
    {
      credential: revocable.credential,
      disclosed: [2],
      nonRevocation: { witness: revocable.witness, index: REVOCATION_INDEX },
    },
    hide(SECRET_KEY, 592, randomBytes),
    randomBytes,
  )
  const contribution = draft.contribution.map((each, i) => (i === { Cr: 2, Cu: 3 }[name] ? by(each) : each))
  const { context, nonce, isSignature } = CHALLENGE
  const proof = draft.respond(hashCommit([context, ...contribution, nonce], isSignature))
  if (proof.nonRevocation === undefined) throw new Error('expected a proof of non-revocation')
  const sent = { ...proof, nonRevocation: { ...proof.nonRevocation, [name]: by(proof.nonRevocation[name]) } }
  return changeFirst(message, each => ({ ...each, proof: sent }))
}

const proofOf = ({ disclosures: [first] }: ProofList): DisclosureProof => {
  if (!first) throw new Error('expected one disclosure')
  return first.proof
}
const aboutIndex = (list: ProofList, revocationIndex: number | null): ProofList =>
  changeFirst(list, each => ({ ...each, revocationIndex }))

const Made = suite('proofs of non-revocation: the verifier accepts made proofs (spec/cryptography#14.5)')

for (const id of [FAST, 'svc-demo.gov-0'])
  Made(`${id}: valid with either arithmetic, and refused with any number changed by one`, () => {
    const own = issueRevocable(id)
    for (const arithmetic of [openssl, bigintArithmetic])
      assert.ok(isValid(proveNotRevoked(own, { arithmetic })))
  })
Made('with everything else hidden, and beside proofs that prove no non-revocation', () => {
  const hidden = proveNotRevoked(revocable, { disclosed: [] })
  assert.ok(isValid(hidden))
  const { credential, witness } = revocable
  const plain = createProofs([
    { credential, disclosed: [] },
    { credential, disclosed: [EMPTY_INDEX], nonRevocation: { witness, index: REVOCATION_INDEX } },
  ])
  const facts = { key, group: '.', attributeCount: 3, revocationIndex: REVOCATION_INDEX }
  assert.ok(
    isValid({ ...CHALLENGE, disclosures: plain.map(proof => ({ proof, ...facts })), commitments: [] }),
  )
})
Made(
  'after the revocation of another credential, with the updated witness; the revoked one gets no update',
  () => {
    const keys = { key, privateKey }
    const { witness } = revocable
    const other = issueRevocable(FAST).witness.e
    const lastEvent = { index: 0, e: 1n, parentHash: new Uint8Array(34).fill(0x12, 0, 1).fill(0x20, 1, 2) }
    const update = revoke(
      openssl,
      { ...keys, signed: witness.signed, lastEvent, e: [other], nowSec: 1_800_000_060 },
      randomBytes,
    )
    const updated = updateWitness(openssl, witness, update, key)
    if (updated === 'revoked') throw new Error('expected a witness')
    assert.ok(isValid(proveNotRevoked({ ...revocable, witness: updated })))
    const own = revoke(
      openssl,
      { ...keys, signed: witness.signed, lastEvent, e: [witness.e], nowSec: 0 },
      randomBytes,
    )
    assert.is(updateWitness(openssl, witness, own, key), 'revoked')
    const stale = { ...witness, signed: own.signed }
    assert.not.ok(isValid(proveNotRevoked({ ...revocable, witness: stale })))
  },
)
Made('about the attribute at its index, even if another attribute has the same number', () => {
  const beside: readonly OthersOf[] = [e => [e, 1n], e => [3n, e], e => [e, e]]
  for (const others of beside)
    for (const disclosed of [[], [2], [EMPTY_INDEX]])
      assert.ok(isValid(proveNotRevoked(issueRevocable(FAST, others), { disclosed })))
})
Made('a hidden attribute with the same number stays as hidden as every other', () => {
  const own = issueRevocable(FAST, e => [e, e])
  const { LmCommit } = systemParameters(key.n)
  const longest = (index: number): number =>
    Math.max(...tries.map(({ aResponses }) => bitLength(aResponses.get(index) ?? 0n)))
  // randomizers have the full length: the probability that eight of them are ten bits shorter is 2^-80
  const tries = Array.from({ length: 8 }, () => proofOf(proveNotRevoked(own, { disclosed: [] })))
  for (const index of [2, EMPTY_INDEX]) assert.ok(longest(index) > LmCommit - 10)
  assert.ok(longest(REVOCATION_INDEX) <= ALPHA_RANDOMIZER_BITS + 1)
})
Made('only about a credential that has the witness: its e is the hidden attribute at the index', () => {
  const strange = { ...revocable, witness: issueRevocable(FAST).witness }
  const refusal = /expected e to be the hidden attribute at base index/
  assert.throws(() => proveNotRevoked(strange, { disclosed: [] }), refusal)
  assert.throws(() => proveNotRevoked(revocable, { disclosed: [REVOCATION_INDEX] }), refusal)
  for (const index of [0, 1, 2, EMPTY_INDEX, 5])
    assert.throws(() => proveNotRevoked(revocable, { disclosed: [], index }), refusal)
})
Made.run()

const Refusals = suite('proofs of non-revocation: what is refused (spec/cryptography#14.5 and #16)')

Refusals("row 3: the trivial witness of a hidden empty text, for the index is the scheme's", () => {
  const { credential, witness } = revocable
  const { nu } = readAccumulator(witness.signed)
  const trivial = { u: nu, e: 1n, signed: witness.signed }
  const forged = proveNotRevoked({ credential, witness: trivial }, { index: EMPTY_INDEX })
  assert.not.ok(isValid(forged))
  assert.ok(isValid(aboutIndex(forged, EMPTY_INDEX)), 'the equations hold: the index alone refuses it')
})
Refusals('row 3: another index, none, or one that is disclosed', () => {
  assert.ok(isValid(message))
  for (const index of [0, 1, 2, EMPTY_INDEX, 5, null]) assert.not.ok(isValid(aboutIndex(message, index)))
  const without3 = change(message, ({ aResponses }) => ({
    aResponses: without(aResponses, REVOCATION_INDEX),
  }))
  assert.not.ok(isValid(without3))
})
Refusals('each number changed by one, and a proof taken away', () => {
  for (const name of ['Cr', 'Cu', 'beta', 'delta', 'epsilon', 'zeta'] as const)
    assert.not.ok(isValid(changeNonRevocation(proof => ({ [name]: proof[name] + 1n }))))
  const bare = changeFirst(message, each => {
    const { nonRevocation, ...proof } = each.proof
    return { ...each, proof }
  })
  assert.not.ok(isValid(bare))
})
Refusals('row 6: C_r from 1 to n - 1, and with an inverse', () => {
  for (const value of [0n, -1n, key.n, privateKey.p])
    assert.not.ok(isValid(changeNonRevocation(() => ({ Cr: value }))))
  assert.ok(isValid(provedWith('Cr', Cr => Cr)))
  assert.not.ok(isValid(provedWith('Cr', Cr => Cr + key.n)))
})
Refusals('row 6: C_u from 1 to n^2 - 1, hashed as it was sent; not 0 modulo n, and with an inverse', () => {
  const below = key.n * (key.n - 1n)
  for (const added of [0n, key.n, below]) assert.ok(isValid(provedWith('Cu', Cu => Cu + added)))
  assert.not.ok(isValid(provedWith('Cu', Cu => Cu + below + key.n)))
  for (const value of [privateKey.p, privateKey.p * key.n + privateKey.q])
    assert.not.ok(isValid(changeNonRevocation(() => ({ Cu: value }))))
  assert.not.ok(isValid(changeNonRevocation(({ Cu }) => ({ Cu: Cu + key.n }))), 'another C_u was hashed')
  const unusable = new Proxy(bigintArithmetic, { get: () => assert.unreachable('no arithmetic') })
  for (const value of [0n, -1n, key.n, below, key.n * key.n + 1n])
    assert.not.ok(
      verifyProofs(
        unusable,
        changeNonRevocation(() => ({ Cu: value })),
      ),
    )
})
Refusals(
  'row 7: responses of more bits than they can have, before any arithmetic; one bit less reaches the arithmetic',
  () => {
    const unusable = new Proxy(bigintArithmetic, { get: () => assert.unreachable('no arithmetic') })
    for (const [name, bits] of [
      ['beta', Ln + 580],
      ['delta', Ln + 580],
      ['epsilon', Ln + 385],
      ['zeta', Ln + 385],
    ] as const) {
      // powers of G and H are the same: only the check of the size refuses it
      const tooLarge = changeNonRevocation(proof => {
        const times = (2n ** BigInt(bits) - proof[name]) / ORDER + 1n
        return { [name]: proof[name] + times * ORDER }
      })
      assert.not.ok(verifyProofs(unusable, tooLarge))
      const large = changeNonRevocation(proof => {
        const times = (2n ** BigInt(bits) - proof[name]) / ORDER - 1n
        return { [name]: proof[name] + times * ORDER }
      })
      assert.ok(isValid(large))
      assert.not.ok(
        verifyProofs(
          unusable,
          changeNonRevocation(() => ({ [name]: -1n })),
        ),
      )
    }
  },
)
Refusals('row 3: a response of the revocation attribute of more than 580 bits', () => {
  const properWith = (alpha: bigint): boolean => {
    const list = change(message, ({ aResponses }) => ({
      aResponses: withEntry(aResponses, REVOCATION_INDEX, alpha),
    }))
    return list.disclosures.every(isDisclosureProper)
  }
  assert.ok(properWith(2n ** 580n - 1n))
  assert.not.ok(properWith(2n ** 580n))
})
Refusals('an accumulator that the issuer did not sign for this key', () => {
  const { signed } = revocable.witness
  const withSigned = (data: Uint8Array, keyCounter = key.counter): ProofList =>
    changeNonRevocation(() => ({ signed: { data, keyCounter } }))
  assert.ok(isValid(withSigned(signed.data)))
  const later = resign(signed, { key, privateKey, nowSec: 1_900_000_000 })
  assert.ok(isValid(withSigned(later.data)), 'signed again, the number is the same')
  assert.not.ok(isValid(withSigned(signed.data, key.counter + 1)))
  const damaged = signed.data.map((byte, i) => (i === signed.data.length - 1 ? byte ^ 1 : byte))
  assert.not.ok(isValid(withSigned(damaged)))
  const stranger = keyOf('svc-demo.uni-0').privateKey
  const accumulator = readAccumulator(signed)
  assert.not.ok(isValid(withSigned(signAccumulator(accumulator, stranger, key.counter).data)))
  for (const nu of [0n, key.n, accumulator.nu + key.n])
    assert.not.ok(isValid(withSigned(signAccumulator({ ...accumulator, nu }, privateKey, key.counter).data)))
  const other = signAccumulator({ ...accumulator, nu: accumulator.nu + 1n }, privateKey, key.counter)
  assert.not.ok(isValid(withSigned(other.data)))
  for (const data of [new Uint8Array(0), Uint8Array.of(0xa2), randomBytes(200)])
    assert.not.ok(isValid(withSigned(data)))
})
Refusals('a key that does not support revocation', () => {
  const { revocation, ...plain } = key
  assert.not.ok(isValid(changeFirst(message, each => ({ ...each, key: plain }))))
})
Refusals('a proof of arbitrary numbers is refused without an exception', () => {
  const number = fc.oneof(
    fc.bigInt({ min: -2n, max: 2n ** 64n }),
    fc.bigInt({ min: 0n, max: 2n ** BigInt(Ln + 581) }),
    fc.constantFrom(0n, 1n, key.n - 1n, key.n, privateKey.p, privateKey.q),
  )
  const parts = { Cr: number, Cu: number, beta: number, delta: number, epsilon: number, zeta: number }
  fc.assert(
    fc.property(fc.record(parts), part => {
      assert.not.ok(isValid(changeNonRevocation(() => part)))
    }),
    { numRuns: 40 },
  )
})
Refusals.run()
