import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import {
  type CredentialToSign,
  completeSignature,
  findSignaturePrime,
  type IssuedSignature,
  signCommitment,
  verifyCorrectness,
} from '../../crypto/issuance.ts'
import { systemParameters } from '../../crypto/public-key.ts'
import { randomBelow, randomInteger } from '../../crypto/random.ts'
import { verifySignature } from '../../crypto/signature.ts'
import { suite } from '../suite.ts'
import { ATTRIBUTES, commit, isValid, openssl, SECRET_KEY, SIZES } from './proofs.ts'
import { keyOf } from './vectors.ts'

const FAST = 'svc-demo.fast-0'
const backends: readonly Arithmetic[] = [openssl, bigintArithmetic]
const power = (bits: number): bigint => 2n ** BigInt(bits)

/** Found once for each length, to make these tests fast. A server must never reuse a prime. */
const primes = new Map(SIZES.map(id => [id, findSignaturePrime(openssl, keyOf(id).publicKey.n, randomBytes)]))
const primeOf = (id: string): bigint => primes.get(id) ?? 0n

function toSign(id: string, part: Partial<CredentialToSign> = {}): CredentialToSign {
  const { publicKey: key, privateKey } = keyOf(id)
  const attributes = ATTRIBUTES.slice(0, key.R.length - 1)
  return { key, privateKey, U: key.S, attributes, context: 1n, n2: 99n, ...part }
}

function sign(
  id: string,
  part: Partial<CredentialToSign> = {},
  arithmetic: Arithmetic = openssl,
): IssuedSignature {
  return signCommitment(arithmetic, toSign(id, part), primeOf(id), randomBytes)
}

const Round = suite('issuance: a wallet and an issuer (spec/cryptography#6.1 to #6.3, #9, #13)')

for (const id of SIZES)
  for (const randomBlind of [[], [3]])
    Round(
      `${id}: commitment, signature, proof and credential are right, random blind: [${randomBlind}]`,
      () => {
        const { publicKey: key } = keyOf(id)
        const { Lm } = systemParameters(key.n)
        const { list, secrets } = commit(id, randomBlind)
        assert.ok(isValid(list))
        const U = list.commitments[0]?.proof.U ?? 0n
        const share = randomInteger(Lm - 1, randomBytes)
        const attributes = toSign(id).attributes.map((value, i) =>
          randomBlind.includes(i + 1) ? share : value,
        )
        const n2 = randomInteger(128, randomBytes)
        const { signature: issued, proof } = sign(id, { U, attributes, n2 })
        const given = { key, signature: issued, proof, context: 1n, n2 }
        assert.ok(verifyCorrectness(openssl, given))
        assert.not.ok(verifyCorrectness(openssl, { ...given, n2: n2 + 1n }))
        const signature = completeSignature(issued, secrets)
        const values = attributes.map((value, i) => value + (secrets.shares.get(i + 1) ?? 0n))
        assert.ok(verifySignature(openssl, key, signature, [SECRET_KEY, ...values]))
        assert.not.ok(verifySignature(openssl, key, signature, [SECRET_KEY + 1n, ...values]))
        if (randomBlind.length > 0)
          assert.not.ok(
            verifySignature(openssl, key, signature, [SECRET_KEY, ...attributes]),
            'random blind attributes with the issuer’s share alone',
          )
      },
    )
for (const signer of backends)
  Round(
    `1024 bits: both backends verify signatures of ${signer.name}, and the equation holds, for any attributes`,
    () => {
      const { publicKey: key } = keyOf(FAST)
      const { n, Z, S, R } = key
      const value = fc.oneof(fc.bigInt({ min: 0n, max: power(256) }), fc.bigInt({ min: 0n, max: power(700) }))
      fc.assert(
        fc.property(fc.array(value, { minLength: 1, maxLength: 11 }), attributes => {
          const U = openssl.keyProduct(key, { S: 77n, R: new Map([[0, SECRET_KEY]]) })
          const { signature, proof } = sign(FAST, { U, attributes }, signer)
          const { A, e, v } = completeSignature(signature, { vPrime: 77n, shares: new Map() })
          for (const each of backends) {
            assert.ok(verifySignature(each, key, { A, e, v }, [SECRET_KEY, ...attributes]), each.name)
            assert.ok(verifyCorrectness(each, { key, signature, proof, context: 1n, n2: 99n }), each.name)
          }
          const short = attributes.filter(attribute => attribute < power(256))
          if (short.length < attributes.length) return
          const exponents = new Map([SECRET_KEY, ...attributes].map((m, i) => [i, m]))
          assert.is((openssl.power(A, e, n) * openssl.keyProduct(key, { S: v, R: exponents })) % n, Z)
          assert.is(R.length > attributes.length && S > 0n, true)
        }),
        { numRuns: signer === openssl ? 15 : 3 },
      )
    },
  )
Round("v'' and r have their ranges, each of the specified width (spec/cryptography#17)", () => {
  const { privateKey, publicKey } = keyOf('svc-demo.gov-0')
  const { Lv, Le } = systemParameters(publicKey.n)
  const asked: number[] = []
  const source = (n: number): Uint8Array => {
    asked.push(n)
    return randomBytes(n)
  }
  const { signature } = signCommitment(openssl, toSign('svc-demo.gov-0'), primeOf('svc-demo.gov-0'), source)
  assert.is(signature.v >> BigInt(Lv - 1), 1n)
  assert.is(signature.e >> BigInt(Le - 1), 1n)
  const orderBytes = Math.ceil((privateKey.pPrime * privateKey.qPrime).toString(2).length / 8)
  assert.equal([...new Set(asked)], [Math.ceil((Lv - 1) / 8), Math.ceil(Le / 8), orderBytes])
})
Round.run()

const Refusals = suite('issuance: what an issuer does not sign')

const { p, q, pPrime, qPrime } = keyOf(FAST).privateKey
const { n } = keyOf(FAST).publicKey

Refusals(
  'a U that is no square modulo n: A^e would differ from Q, and the answer would reveal facts about the factors',
  () => {
    const inverseP = openssl.inverse(p, q) ?? 0n
    /** -1 modulo q, 1 modulo p: not a square */
    const halfMinus = (1n + p * (((q - 2n) * inverseP) % q)) % n
    assert.equal([halfMinus % p, halfMinus % q], [1n, q - 1n])
    for (const arithmetic of backends)
      for (const U of [n - 1n, n - 4n, halfMinus, n - halfMinus, (halfMinus * 9n) % n])
        for (let i = 0; i < 4; i++) assert.throws(() => sign(FAST, { U }, arithmetic), /expected A\^e = Q/)
    assert.ok(sign(FAST, { U: 4n }))
  },
)
Refusals('a U outside 1 to n - 1, or that has a divisor in common with n', () => {
  for (const U of [0n, -1n, n, n + 4n])
    assert.throws(() => sign(FAST, { U }), /commitment: expected one from 1 to n - 1/)
  for (const U of [p, q * 4n]) assert.throws(() => sign(FAST, { U }), /without a common divisor/)
})
Refusals('private and public key that do not belong together', () => {
  const { privateKey } = keyOf('svc-demo.uni-0')
  assert.throws(() => sign(FAST, { privateKey }), /private key: expected p q = n/)
})
Refusals('more attributes than bases, and an attribute with a negative value', () => {
  const attributes = keyOf(FAST).publicKey.R.map(() => 1n)
  assert.throws(() => sign(FAST, { attributes }), /attributes: expected at most 11, got 12/)
  for (const arithmetic of backends)
    assert.throws(() => sign(FAST, { attributes: [1n, -1n] }, arithmetic), /non-negative/)
})
Refusals('an e of another size, or one without an inverse modulo the order', () => {
  const e = primeOf(FAST)
  for (const wrong of [3n, e + power(119), primeOf('svc-demo.gov-0'), -e])
    assert.throws(
      () => signCommitment(openssl, toSign(FAST), wrong, randomBytes),
      /e: expected one of the size/,
    )
  // a key whose p' shares a divisor with e
  const privateKey = { ...keyOf(FAST).privateKey, pPrime: e }
  assert.throws(() => sign(FAST, { privateKey }), /e: expected one that has an inverse/)
})
/** The order of the signer's calculations by the factors. */
const STEPS = ['product', 'the same again', 'root', 'its power'] as const

for (const [i, step] of STEPS.entries())
  Refusals(`a secret calculation that is wrong modulo n or one factor gives no answer: ${step}`, () => {
    for (const wrong of [
      (x: bigint) => (x * 4n) % n,
      (x: bigint) => (x + q) % n,
      (x: bigint) => (x + p) % n,
    ]) {
      let calls = 0
      const secretProductByFactors: Arithmetic['secretProductByFactors'] = (...input) => {
        const right = openssl.secretProductByFactors(...input)
        return calls++ === i ? wrong(right) : right
      }
      const attempt = (): unknown => sign(FAST, {}, { ...openssl, secretProductByFactors })
      assert.throws(attempt, i < 2 ? /expected the same product twice/ : /expected A\^e = Q/)
    }
  })
Refusals.run()

const Correctness = suite('proofs that a signature is right (spec/cryptography#6.3)')

Correctness('a change of any number is refused, in range and out of range', () => {
  const { publicKey: key } = keyOf(FAST)
  const { signature, proof } = sign(FAST)
  const given = { key, signature, proof, context: 1n, n2: 99n }
  const isRight = (part: Partial<typeof given>): boolean => {
    const [first, second] = backends.map(each => verifyCorrectness(each, { ...given, ...part }))
    assert.is(first, second)
    return first === true
  }
  assert.ok(isRight({}))
  const order = pPrime * qPrime
  const { A, e, v } = signature
  for (const part of [
    { A: A + 1n },
    { A: 0n },
    { A: A + n },
    { A: -A },
    { e: e + 2n },
    { e: e + order },
    { e: 0n },
  ])
    assert.not.ok(isRight({ signature: { A, e, v, ...part } }))
  const { c, eResponse } = proof
  for (const part of [
    { c: c + 1n },
    { c: c + power(256) },
    { c: -c },
    { eResponse: eResponse + 1n },
    { eResponse: -1n },
  ])
    assert.not.ok(isRight({ proof: { ...proof, ...part } }))
  assert.not.ok(isRight({ proof: { c, eResponse: eResponse + order * 8n } }))
  assert.not.ok(isRight({ n2: 98n }))
  assert.not.ok(isRight({ n2: -1n }))
  assert.not.ok(isRight({ context: 2n }))
  assert.not.ok(isRight({ context: -1n }))
  assert.not.ok(isRight({ key: keyOf('svc-demo.uni-0').publicKey }))
})
Correctness.run()

const Below = suite('random integers below a bound')

Below('are uniform by rejection: a number that is too large is drawn again', () => {
  const bytes = [0xff, 0xc0, 0x00, 0x7f]
  const source = (count: number): Uint8Array => new Uint8Array(count).fill(bytes.shift() ?? 0x11)
  assert.is(randomBelow(0xc0n, source), 0n)
  assert.is(randomBelow(0x80n, source), 0x7fn >> 1n)
  assert.is(randomBelow(1n, source), 0n)
})
Below.run()
