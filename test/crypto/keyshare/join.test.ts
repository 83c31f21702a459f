/** A wallet's side of proofs with two halves of a secret key (spec/interface#4.6; spec/cryptography#9.1, #11.2, #11.4). @module */
import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { completeSignature, findSignaturePrime, signCommitment } from '../../../crypto/issuance.ts'
import type { KeyshareCommitment } from '../../../crypto/keyshare/join.ts'
import { mergeIntoCommitment, mergeIntoDisclosure } from '../../../crypto/keyshare/merge.ts'
import { respondAlone } from '../../../crypto/keyshare/respond.ts'
import { drawKeyshareSecret, drawRandomizer, powerOfSecret } from '../../../crypto/keyshare/secrets.ts'
import { draftProofs, type KeyshareParts } from '../../../crypto/proof-list.ts'
import type { IssuerPublicKey } from '../../../crypto/public-key.ts'
import { verifySignature } from '../../../crypto/signature.ts'
import { suite } from '../../suite.ts'
import { CHALLENGE, credentialOf, isValid, openssl, SECRET_KEY, SIZES } from '../proofs.ts'
import { keyOf } from '../vectors.ts'

const Joining = suite("a keyshare server's commitments in a wallet's proofs")
/** The halves m_k and m_u of `SECRET_KEY`, the secret key in the credentials of `credentialOf`. */
const mk = drawKeyshareSecret(randomBytes) >> 1n
const mu = SECRET_KEY - mk

function commitmentOf(key: IssuerPublicKey, wk: bigint): KeyshareCommitment {
  return { P: powerOfSecret(key, mk, openssl), Pcommit: powerOfSecret(key, wk, openssl) }
}

function draft(disclosed: readonly string[], committed: readonly string[]) {
  const { nonce: _, ...facts } = CHALLENGE
  const disclosures = disclosed.map(id => ({ credential: credentialOf(id), disclosed: [2] }))
  const commitments = committed.map(id => ({ key: keyOf(id).publicKey, randomBlind: [] }))
  return draftProofs(openssl, { disclosures, commitments, secretKey: mu, ...facts }, randomBytes)
}

function partsOf(disclosed: readonly string[], committed: readonly string[], wk: bigint): KeyshareParts {
  const part = (id: string) => commitmentOf(keyOf(id).publicKey, wk)
  return { disclosures: disclosed.map(part), commitments: committed.map(part) }
}

for (const id of SIZES.slice(0, 2))
  Joining(
    `${id}: a disclosure proof with the responses of both halves is valid, and with one response it is not`,
    () => {
      const key = keyOf(id).publicKey
      const wk = drawRandomizer([key], randomBytes)
      const bound = draft([id], []).bind(CHALLENGE.nonce, partsOf([id], [], wk))
      const answer = respondAlone(bound.challenge, commitmentOf(key, wk).P, { mk, wk })
      const [own] = bound.respond().disclosures
      assert.ok(own)
      const facts = {
        key,
        group: '.',
        attributeCount: credentialOf(id).attributes.length - 1,
        revocationIndex: null,
      }
      const list = { ...CHALLENGE, commitments: [] }
      assert.ok(isValid({ ...list, disclosures: [{ proof: mergeIntoDisclosure(own, answer), ...facts }] }))
      assert.not.ok(isValid({ ...list, disclosures: [{ proof: own, ...facts }] }))
    },
  )

for (const id of SIZES.slice(0, 2))
  Joining(
    `${id}: a signature over both halves is valid for m_u with P and for the whole secret key, and not for m_u alone`,
    () => {
      const { publicKey: key, privateKey } = keyOf(id)
      const wk = drawRandomizer([key], randomBytes)
      const { P } = commitmentOf(key, wk)
      const bound = draft([], [id]).bind(CHALLENGE.nonce, partsOf([], [id], wk))
      const [own] = bound.respond().commitments
      assert.ok(own)
      const proof = mergeIntoCommitment(own.proof, respondAlone(bound.challenge, P, { mk, wk }), key.n)
      const list = { ...CHALLENGE, disclosures: [] }
      assert.ok(isValid({ ...list, commitments: [{ proof, key, group: '.', randomBlind: [] }] }))
      assert.not.ok(
        isValid({ ...list, commitments: [{ proof: own.proof, key, group: '.', randomBlind: [] }] }),
      )
      const toSign = { key, privateKey, U: proof.U, attributes: [5n, 7n], context: 1n, n2: 3n }
      const e = findSignaturePrime(openssl, key.n, randomBytes)
      const { signature } = signCommitment(openssl, toSign, e, randomBytes)
      const complete = completeSignature(signature, own.secrets)
      assert.ok(verifySignature(openssl, key, complete, [mu, 5n, 7n], P))
      assert.ok(verifySignature(openssl, key, complete, [SECRET_KEY, 5n, 7n]))
      assert.not.ok(verifySignature(openssl, key, complete, [mu, 5n, 7n]))
    },
  )

Joining('a proof without a part of the keyshare server stays unchanged, beside others', () => {
  const [first = '', second = ''] = SIZES
  const keys = [first, second].map(id => keyOf(id).publicKey)
  const wk = drawRandomizer(keys, randomBytes)
  const drafts = draft([], [first, second])
  const bound = drafts.bind(CHALLENGE.nonce, {
    disclosures: [],
    commitments: [commitmentOf(keyOf(first).publicKey, wk), null],
  })
  const { P } = commitmentOf(keyOf(first).publicKey, wk)
  const answer = respondAlone(bound.challenge, P, { mk, wk })
  const commitments = bound.respond().commitments.map(({ proof }, i) => {
    const key = keyOf([first, second][i] ?? '').publicKey
    const merged = i === 0 ? mergeIntoCommitment(proof, answer, key.n) : proof
    return { proof: merged, key, group: i === 0 ? 'with' : '.', randomBlind: [] }
  })
  assert.ok(isValid({ ...CHALLENGE, disclosures: [], commitments }))
})

Joining('new commitments of the server need a new binding; only one of the bindings can answer', () => {
  const [id = ''] = SIZES
  const key = keyOf(id).publicKey
  const drafts = draft([id], [])
  const [first, second] = [1, 2].map(() =>
    drafts.bind(CHALLENGE.nonce, partsOf([id], [], drawRandomizer([key], randomBytes))),
  )
  assert.ok(first && second)
  assert.is.not(first.challenge, second.challenge)
  second.respond()
  assert.throws(() => first.respond(), /expected one nonce/)
})

Joining.run()
