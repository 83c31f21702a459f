/** Disclosure proofs that share their challenge with a commitment, as in issuance: what each adds to the challenge is right. What the commitment
 *  adds (note 7.1) is calculated here. @module */

import * as assert from 'uvu/assert'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { fromBase64 } from '../../crypto/bytes.ts'
import { hashCommit } from '../../crypto/challenge.ts'
import { contribution } from '../../crypto/disclosure.ts'
import { suite } from '../suite.ts'
import { openssl } from './proofs.ts'
import { keyOf, type RecordedProof, readMessage, readVectors } from './vectors.ts'

type Commitment = {
  readonly U: string
  readonly c: string
  readonly v_prime_response: string
  readonly s_response: string
}
type Mixed = {
  readonly context: string
  readonly nonce: string
  readonly keys: readonly string[]
  readonly proofs: readonly (RecordedProof | Commitment)[]
}
type Linked = Mixed & { readonly case: string; readonly expected: string }

const Lists = suite('lists of disclosure proofs and commitments')

/** U, and U^-c S^v_prime_response R_0^s_response. */
function contributionOfCommitment(recorded: Commitment, keyId: string): readonly bigint[] {
  const { publicKey: key } = keyOf(keyId)
  const U = fromBase64(recorded.U)
  const inverse = bigintArithmetic.inverse(U, key.n)
  if (inverse === undefined) throw new Error('expected a U with an inverse')
  const commitment = bigintArithmetic.keyProduct(key, {
    S: fromBase64(recorded.v_prime_response),
    R: new Map([[0, fromBase64(recorded.s_response)]]),
    other: { base: inverse, exponent: fromBase64(recorded.c) },
  })
  return [U, commitment]
}

/** Whether every proof of the list answers the one challenge. */
function isConsistent({ context, nonce, keys, proofs }: Mixed): boolean {
  const contributions = proofs.flatMap((recorded, i) => {
    const keyId = keys[i] ?? ''
    if ('U' in recorded) return contributionOfCommitment(recorded, keyId)
    const read = readMessage({ proofs: [recorded], keys: [keyId], context, nonce, isSignature: false })
    const [proof] = read?.proofs ?? []
    if (proof === undefined) throw new Error('expected a proof that can be read')
    const [fast, plain] = [openssl, bigintArithmetic].map(each => contribution(each, proof))
    assert.equal(fast, plain)
    return [...(fast ?? [])]
  })
  const challenge = hashCommit([fromBase64(context), ...contributions, fromBase64(nonce)], false)
  return proofs.every(({ c }) => typeof c === 'string' && fromBase64(c) === challenge)
}

for (const linked of readVectors<{ cases: Linked[] }>('crypto/linked-proofs.json').cases) {
  if (!linked.proofs.some(proof => 'U' in proof)) continue
  Lists(`${linked.case}: ${linked.expected}`, () => {
    if (linked.case === 'keys swapped')
      assert.throws(() => isConsistent(linked), /exponent of a key's base/) // sizes that verification refuses before
    else assert.is(isConsistent(linked), linked.expected === 'valid')
  })
}

Lists('a disclosure and an issuance in one message', () => {
  const { disclosure } = readVectors<{ disclosure: { disclosureAndIssuance: Mixed } }>(
    'cryptography-vectors.json',
  )
  assert.ok(isConsistent(disclosure.disclosureAndIssuance))
})

Lists.run()
