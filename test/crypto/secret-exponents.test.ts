import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { draftProofs } from '../../crypto/proof-list.ts'
import { isWitnessRight, updateWitness } from '../../crypto/revocation/witness.ts'
import { verifySignature } from '../../crypto/signature.ts'
import { suite } from '../suite.ts'
import { CHALLENGE, commit, credentialOf, openssl, SECRET_KEY } from './proofs.ts'
import { recordedOf } from './recorded-revocation.ts'
import { issueRevocable, proveNotRevoked } from './revocable.ts'

const FAST = 'svc-demo.fast-0'
const { key, signature, attributes } = credentialOf(FAST)

/** Fails on functions whose time depends on an exponent of a power modulo n. */
const careful: Arithmetic = {
  ...openssl,
  keyProduct() {
    throw new Error('expected secretPower, got keyProduct')
  },
  power(base, exponent, modulus) {
    if (modulus === key.n) throw new Error('expected secretPower, got power')
    return openssl.power(base, exponent, modulus)
  },
}

const Secret = suite('secret exponents of a wallet (spec/cryptography#17): only powers in constant time')

Secret('a disclosure, and its proof of non-revocation', () => {
  const drafts = draftProofs(
    careful,
    {
      ...CHALLENGE,
      disclosures: [{ credential: credentialOf(FAST), disclosed: [2] }],
      commitments: [],
      secretKey: SECRET_KEY,
    },
    randomBytes,
  )
  assert.is(drafts.finish(CHALLENGE.nonce).disclosures.length, 1)
  assert.is(proveNotRevoked(issueRevocable(FAST), { arithmetic: careful }).disclosures.length, 1)
})
Secret('a commitment with random blind attributes', () => {
  assert.is(commit(FAST, [2, 3], { arithmetic: careful }).list.commitments.length, 1)
})
Secret('the check of a signature', () => {
  assert.ok(verifySignature(careful, key, signature, [SECRET_KEY, ...attributes]))
})
Secret('the check of a witness, and its update', () => {
  const { witness, afterThree, witnessAfterUpdate } = recordedOf(FAST)
  const power = (): never => {
    throw new Error('expected secretPower, got power') // modulo e, which is secret itself
  }
  assert.ok(isWitnessRight({ ...careful, power }, witness, key))
  assert.equal(updateWitness({ ...careful, power }, witness, afterThree, key), witnessAfterUpdate)
})
Secret.run()
