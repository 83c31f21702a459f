import * as assert from 'uvu/assert'
import { attributeExponent } from '../../crypto/attribute.ts'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { bitLength, bytesOf, fromBase64 } from '../../crypto/bytes.ts'
import { completeSignature, signCommitment, verifyCorrectness } from '../../crypto/issuance.ts'
import { systemParameters } from '../../crypto/public-key.ts'
import { type ClSignature, verifySignature } from '../../crypto/signature.ts'
import { suite } from '../suite.ts'
import { isValid, openssl } from './proofs.ts'
import {
  byIndex,
  type KeyPair,
  keyOf,
  type Numbers,
  type RecordedCommitment,
  readMessage,
  readVectors,
} from './vectors.ts'

type Signature = { readonly A: string; readonly e: string; readonly v: string }
type Answer = {
  readonly proof: { readonly c: string; readonly e_response: string }
  readonly signature: Signature
  readonly m_issuer?: Numbers
}
type Verdict = { readonly case: string; readonly expected: 'valid' | 'refused' }
type Issuance = {
  readonly key: string
  readonly context: string
  readonly nonce1: string
  readonly nonce2: string
  readonly secret: string
  readonly vPrime: string
  readonly userShares: Numbers | null
  readonly U: string
  /** null: random blind */
  readonly attributesSigned: readonly (string | null)[]
  readonly proofU: RecordedCommitment
  readonly proofUCases: readonly (Verdict & { readonly proofU: RecordedCommitment })[]
  readonly proofUOtherNonce: { readonly nonce: string }
  readonly issuerAnswer: Answer
  readonly proofSCases: readonly (Verdict & { readonly answer: Answer; readonly nonce2: string })[]
  readonly credential: { readonly attributes: readonly string[]; readonly signature: Signature }
  readonly signatureCases: readonly (Verdict & {
    readonly attributes: readonly string[]
    readonly signature: Signature
  })[]
}
type SpecIssuance = {
  readonly nonce: string
  readonly context: string
  /** null: random blind */
  readonly attributes: readonly (string | null)[]
  readonly blind: readonly number[]
  readonly commitments: {
    readonly U: string
    readonly n_2: string
    readonly combinedProofs: readonly RecordedCommitment[]
  }
  readonly issueSignature: Answer
  readonly credential: Issuance['credential']
}
type KeyshareIssuance = {
  readonly key: string
  readonly attributes: readonly string[]
  readonly context: string
  readonly n_2: string
  readonly proofsMerged: readonly { readonly U: string }[]
  readonly issueSignature: Answer
}

const numbers = ({ A, e, v }: Signature): ClSignature => ({
  A: fromBase64(A),
  e: fromBase64(e),
  v: fromBase64(v),
})

const readValue = (text: string | null): bigint => fromBase64(text ?? '')

function isCorrect(id: string, answer: Answer, context: string, n2: string): boolean {
  const { c, e_response } = answer.proof
  const input = {
    key: keyOf(id).publicKey,
    signature: numbers(answer.signature),
    proof: { c: fromBase64(c), eResponse: fromBase64(e_response) },
    context: fromBase64(context),
    n2: fromBase64(n2),
  }
  const [first, second] = [openssl, bigintArithmetic].map(each => verifyCorrectness(each, input))
  assert.is(first, second, 'openssl and bigint')
  return first === true
}

/** The random bytes with which an issuer makes this answer: they contain v'' and r. */
function bytesBehind(answer: Answer, { publicKey, privateKey }: KeyPair): (n: number) => Uint8Array {
  const { A, e, v } = numbers(answer.signature)
  const { Lv } = systemParameters(publicKey.n)
  const order = privateKey.pPrime * privateKey.qPrime
  const d = openssl.inverse(e, order) ?? 0n
  const r = (fromBase64(answer.proof.e_response) + fromBase64(answer.proof.c) * d) % order
  assert.ok(A > 0n)
  const draws = [
    { x: v - 2n ** BigInt(Lv - 1), bits: Lv - 1 },
    { x: 12345n, bits: bitLength(e - 1n) },
    { x: r, bits: bitLength(order - 1n) },
  ]
  return n => {
    const { x, bits } = draws.shift() ?? { x: 0n, bits: 0 }
    assert.is(n, Math.ceil(bits / 8))
    const bytes = bytesOf(x << BigInt(8 * n - bits))
    return Uint8Array.from([...new Uint8Array(n - bytes.length), ...bytes])
  }
}

type Signed = {
  readonly id: string
  readonly U: string
  readonly attributes: readonly bigint[]
  readonly context: string
  readonly n2: string
  readonly answer: Answer
}

/** Asserts that signing again with the same random numbers gives the recorded answer bit for bit. */
function assertSignsAlike({ id, U, attributes, context, n2, answer }: Signed): void {
  const pair = keyOf(id)
  const { publicKey: key, privateKey } = pair
  const shares = byIndex(answer.m_issuer ?? {})
  const signed = attributes.map((value, i) => shares.get(i + 1) ?? value)
  const toSign = {
    ...{ key, privateKey, attributes: signed },
    ...{ U: fromBase64(U), context: fromBase64(context), n2: fromBase64(n2) },
  }
  const { e } = numbers(answer.signature)
  const backends = id === 'scheme.issuerD-3' ? [openssl] : [openssl, bigintArithmetic]
  for (const each of backends) {
    const { signature, proof } = signCommitment(each, toSign, e, bytesBehind(answer, pair))
    assert.equal(signature, numbers(answer.signature), each.name)
    assert.is(proof.c, fromBase64(answer.proof.c), each.name)
    assert.is(proof.eResponse, fromBase64(answer.proof.e_response), each.name)
  }
}

const Recorded = suite('issuance recorded from an existing implementation, 1.3.0')

function recordedIssuance(file: string): void {
  const recorded = readVectors<Issuance>(`crypto/${file}.json`)
  const { key: id, context, nonce1, nonce2, issuerAnswer: answer, credential } = recorded
  const { publicKey: key } = keyOf(id)
  const shares = byIndex(recorded.userShares ?? {})
  const issuerShares = byIndex(answer.m_issuer ?? {})
  const isRight = (proofU: RecordedCommitment, nonce: string): boolean =>
    isValid(
      readMessage({
        ...{ proofs: [proofU], keys: [id], randomBlind: [...shares.keys()] },
        ...{ context, nonce, isSignature: false },
      }),
    )

  for (const { case: title, proofU, expected } of recorded.proofUCases)
    Recorded(`${file}, commitment: ${title}: ${expected}`, () => {
      assert.is(isRight(proofU, nonce1), expected === 'valid')
    })
  Recorded(`${file}, commitment: another nonce: refused`, () => {
    assert.not.ok(isRight(recorded.proofU, recorded.proofUOtherNonce.nonce))
  })
  Recorded(`${file}: U = S^v' R_0^m_u prod R_i^m'_i`, () => {
    const R = new Map([...shares, [0, fromBase64(recorded.secret)]])
    assert.is(openssl.keyProduct(key, { S: fromBase64(recorded.vPrime), R }), fromBase64(recorded.U))
  })
  for (const { case: title, answer: changed, nonce2: n2, expected } of recorded.proofSCases)
    Recorded(`${file}, answer: ${title}: ${expected}`, () => {
      assert.is(isCorrect(id, changed, context, n2), expected === 'valid')
    })
  for (const { case: title, attributes, signature, expected } of recorded.signatureCases)
    Recorded(`${file}, credential: ${title}: ${expected}`, () => {
      const values = attributes.map(fromBase64)
      assert.is(verifySignature(openssl, key, numbers(signature), values), expected === 'valid')
      if (title === 'randomized')
        assert.ok(verifySignature(bigintArithmetic, key, numbers(signature), values))
    })
  Recorded(
    `${file}: a wallet completes the signature with its v', and each random blind attribute with its share`,
    () => {
      const secrets = { vPrime: fromBase64(recorded.vPrime), shares }
      assert.equal(completeSignature(numbers(answer.signature), secrets), numbers(credential.signature))
      const values = credential.attributes.map(fromBase64)
      for (const [index, share] of shares) assert.is(values[index], share + (issuerShares.get(index) ?? 0n))
    },
  )
  Recorded(`${file}: signing with the same random numbers gives the same answer`, () => {
    const attributes = recorded.attributesSigned.map(readValue)
    assertSignsAlike({ id, U: recorded.U, attributes, context, n2: nonce2, answer })
  })
}

for (const id of ['svc-demo.fast-0', 'svc-demo.gov-0'])
  for (const name of ['issuance', 'issuance-randomblind']) recordedIssuance(`${name}-${id}`)

const SpecVectors = suite('issuance with the numbers of spec/cryptography#15.2')
const KEY_OF: Readonly<Record<string, string>> = {
  issuerA: 'scheme.issuerA-0',
  issuerB: 'scheme.issuerB-1',
  issuerC: 'scheme.issuerC-2',
  issuerD: 'scheme.issuerD-3',
  randomblind: 'scheme.issuerB-1',
  revocation: 'scheme.issuerA-0',
  integerAttribute: 'scheme.issuerC-2',
}
const specVectors = readVectors<{
  issuance: Record<string, SpecIssuance>
  keyshare: { issuanceLegacy: KeyshareIssuance }
}>('cryptography-vectors.json')
for (const [name, recorded] of Object.entries(specVectors.issuance)) {
  const { nonce, context, attributes, blind, commitments, issueSignature: answer, credential } = recorded
  const id = KEY_OF[name] ?? ''
  SpecVectors(`${name}: the commitment, the issuer's answer and the credential are right`, () => {
    const { combinedProofs: proofs, n_2 } = commitments
    const randomBlind = blind.map(i => i + 1)
    const message = readMessage({ proofs, keys: [id], randomBlind, context, nonce, isSignature: false })
    assert.ok(isValid(message))
    assert.ok(isCorrect(id, answer, context, n_2))
    const values = credential.attributes.map(fromBase64)
    assert.ok(verifySignature(openssl, keyOf(id).publicKey, numbers(credential.signature), values))
  })
  SpecVectors(`${name}: signing with the same random numbers gives the same answer`, () => {
    const values = attributes.map(readValue)
    assertSignsAlike({ id, U: commitments.U, attributes: values, context, n2: commitments.n_2, answer })
  })
}
SpecVectors('with a keyshare server the signature is made over the merged U', () => {
  const {
    key: id,
    attributes,
    context,
    n_2,
    proofsMerged,
    issueSignature: answer,
  } = specVectors.keyshare.issuanceLegacy
  assert.ok(isCorrect(id, answer, context, n_2))
  const U = proofsMerged[0]?.U ?? ''
  assertSignsAlike({ id, U, attributes: attributes.map(fromBase64), context, n2: n_2, answer })
})
SpecVectors('some of the attributes have more than Lm bits', () => {
  const all = Object.values(specVectors.issuance).flatMap(({ attributes }) => attributes.map(readValue))
  assert.ok(all.some(value => attributeExponent(value, 512) !== value))
})

Recorded.run()
SpecVectors.run()
