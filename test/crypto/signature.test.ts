import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { isProbablePrime, randomPrime } from '../../crypto/prime.ts'
import { systemParameters } from '../../crypto/public-key.ts'
import { randomInteger } from '../../crypto/random.ts'
import { type ClSignature, verifySignature } from '../../crypto/signature.ts'
import { signAttributes } from '../../libraries/testing/sign-attributes.ts'
import { suite } from '../suite.ts'
import { keyOf } from './vectors.ts'

const openssl = chooseArithmetic('openssl')
const backends: readonly Arithmetic[] = [openssl, bigintArithmetic]

const Primes = suite('primes (spec/cryptography#6.1)')

Primes('the test tells primes from composites, with both backends', () => {
  const primes = [2n, 3n, 7919n, 8009n, 2n ** 89n - 1n, 2n ** 521n - 1n]
  const composites = [0n, 1n, 4n, 7917n, 8011n * 8017n, 2n ** 67n - 1n, (2n ** 89n - 1n) * (2n ** 107n - 1n)]
  const strong = [3215031751n, 3474749660383n] // pass Miller-Rabin to the bases 2, 3, 5 and 7, the second to 11 and 13 as well
  for (const each of backends) {
    for (const x of primes) assert.ok(isProbablePrime(each, x), `${x}`)
    for (const x of [...composites, ...strong]) assert.not.ok(isProbablePrime(each, x), `${x}`)
  }
})
Primes('below 20,000 it agrees with trial division', () => {
  for (let x = 3; x < 20_000; x += 2) {
    let divisor = 3
    while (divisor * divisor <= x && x % divisor !== 0) divisor += 2
    assert.is(isProbablePrime(openssl, BigInt(x), 3), divisor * divisor > x)
  }
})
Primes('a random prime lies in its range, and each one is different', () => {
  for (const id of ['svc-demo.fast-0', 'svc-demo.gov-0', 'scheme.issuerD-3']) {
    const { Le, LePrime } = systemParameters(keyOf(id).publicKey.n)
    const from = 2n ** BigInt(Le - 1)
    const primes = Array.from({ length: 3 }, () =>
      randomPrime(openssl, { from, bits: LePrime - 1 }, randomBytes),
    )
    for (const prime of primes) {
      assert.ok(prime > from && prime < from + 2n ** BigInt(LePrime - 1))
      assert.ok(isProbablePrime(openssl, prime))
    }
    assert.is(new Set(primes).size, 3)
  }
})
Primes('a start at the end of the range does not leave it', () => {
  const bytes = [0xff, 0xff, 0xff, 0x00]
  const source = (n: number): Uint8Array => new Uint8Array(n).fill(bytes.shift() ?? 0x5a)
  const prime = randomPrime(openssl, { from: 2n ** 100n, bits: 20 }, source)
  assert.ok(prime > 2n ** 100n && prime < 2n ** 100n + 2n ** 20n)
  assert.is.not(bytes.length, 4)
})
Primes.run()

const Random = suite('random integers')

Random('they have the requested number of bits and use every bit', () => {
  assert.is(
    randomInteger(119, n => new Uint8Array(n).fill(0xff)),
    2n ** 119n - 1n,
  )
  assert.is(
    randomInteger(119, n => new Uint8Array(n)),
    0n,
  )
  assert.is(
    randomInteger(128, n => new Uint8Array(n).fill(0x80)),
    BigInt(`0x${'80'.repeat(16)}`),
  )
})
Random.run()

const Signatures = suite('signatures (spec/cryptography#6.1, #6.2)')
const ATTRIBUTES = [2n ** 185n + 3n, 2n ** 900n + 1n, 0n, 1n]
const SECRET_KEY = 2n ** 254n + 12345n

for (const id of ['svc-demo.fast-0', 'svc-demo.gov-0', 'scheme.issuerD-3'])
  Signatures(`${id}: what is signed verifies, has the right sizes, and Z = A^e S^v prod R_i^m_i`, () => {
    const { publicKey: key, privateKey } = keyOf(id)
    const attributes = ATTRIBUTES.slice(0, key.R.length - 1)
    const input = { key, privateKey, secretKey: SECRET_KEY, attributes }
    const signature = signAttributes(openssl, input, randomBytes)
    const { Le, Lv } = systemParameters(key.n)
    assert.is(signature.e >> BigInt(Le - 1), 1n)
    assert.is(signature.v >> BigInt(Lv - 1), 1n)
    assert.ok(verifySignature(openssl, key, signature, [SECRET_KEY, ...attributes]))
    assert.not.ok(verifySignature(openssl, key, signature, [SECRET_KEY + 1n, ...attributes]))
  })
Signatures('with BigInt alone the same holds', () => {
  const { publicKey: key, privateKey } = keyOf('svc-demo.fast-0')
  const input = { key, privateKey, secretKey: SECRET_KEY, attributes: ATTRIBUTES }
  const signature = signAttributes(bigintArithmetic, input, randomBytes)
  for (const each of backends) assert.ok(verifySignature(each, key, signature, [SECRET_KEY, ...ATTRIBUTES]))
})
Signatures('a private key that belongs to another public key is refused', () => {
  const input = { key: keyOf('svc-demo.fast-0').publicKey, privateKey: keyOf('svc-demo.uni-0').privateKey }
  assert.throws(
    () => signAttributes(openssl, { ...input, secretKey: 1n, attributes: [1n] }, randomBytes),
    /expected p q = n/,
  )
})
Signatures('more attributes than bases are refused', () => {
  const { publicKey: key, privateKey } = keyOf('svc-demo.fast-0')
  const attributes = key.R.map(() => 1n)
  assert.throws(
    () => signAttributes(openssl, { key, privateKey, secretKey: 1n, attributes }, randomBytes),
    /at most 11, got 12/,
  )
})
Signatures('a wrong result of the secret exponentiation is not returned', () => {
  const { publicKey: key, privateKey } = keyOf('svc-demo.fast-0')
  const faulty = { ...openssl, secretProductByFactors: () => 4n }
  assert.throws(
    () => signAttributes(faulty, { key, privateKey, secretKey: 1n, attributes: [1n] }, randomBytes),
    /expected/,
  )
})

Signatures('numbers out of range are refused: A, e, v, negative values', () => {
  const { publicKey: key, privateKey } = keyOf('svc-demo.fast-0')
  const values = [SECRET_KEY, ...ATTRIBUTES]
  const { A, e, v } = signAttributes(
    openssl,
    { key, privateKey, secretKey: SECRET_KEY, attributes: ATTRIBUTES },
    randomBytes,
  )
  const order = ((privateKey.p - 1n) / 2n) * ((privateKey.q - 1n) / 2n)
  const isValid = (part: Partial<ClSignature>): boolean =>
    verifySignature(openssl, key, { A, e, v, ...part }, values)
  assert.ok(isValid({ v: v + order }), 'the equation is all that v has to fulfil')
  assert.ok(isValid({ v: v - order * 2n ** 1000n }), 'a negative v too')
  assert.not.ok(isValid({ v: v + order * 2n ** 1100n }), 'only within its size')
  assert.not.ok(isValid({ A: A + key.n }))
  assert.not.ok(isValid({ A: A - key.n }))
  assert.not.ok(isValid({ A: 0n }))
  assert.not.ok(isValid({ e: e + order }))
  assert.not.ok(verifySignature(openssl, key, { A, e, v }, [SECRET_KEY - order * 2n, ...ATTRIBUTES]))
})
Signatures('v may have as many bits as the sizes of the key allow, and no more', () => {
  const { publicKey: key, privateKey } = keyOf('svc-demo.fast-0')
  const input = { key, privateKey, secretKey: SECRET_KEY, attributes: [1n] }
  const { A, e, v } = signAttributes(openssl, input, randomBytes)
  const order = privateKey.pPrime * privateKey.qPrime
  const { LvCommit } = systemParameters(key.n)
  const most = v + order * ((2n ** BigInt(LvCommit) - 1n - v) / order)
  const isValid = (v: bigint): boolean => verifySignature(openssl, key, { A, e, v }, [SECRET_KEY, 1n])
  assert.equal([isValid(most), isValid(most + order)], [true, false])
})
Signatures('a prime e of another size is refused, though the equation holds', () => {
  const { publicKey: key, privateKey } = keyOf('svc-demo.fast-0')
  const input = { key, privateKey, secretKey: SECRET_KEY, attributes: [1n] }
  const { A, e, v } = signAttributes(openssl, input, randomBytes)
  const order = privateKey.pPrime * privateKey.qPrime
  const small = 65_537n
  const other = openssl.power(A, (e * (openssl.inverse(small, order) ?? 0n)) % order, key.n)
  assert.is(openssl.power(other, small, key.n), openssl.power(A, e, key.n))
  assert.not.ok(verifySignature(openssl, key, { A: other, e: small, v }, [SECRET_KEY, 1n]))
})
Signatures('an e that is no prime is refused, though the equation holds', () => {
  const { publicKey: key, privateKey } = keyOf('svc-demo.fast-0')
  const { A, e, v } = signAttributes(
    openssl,
    { key, privateKey, secretKey: SECRET_KEY, attributes: [1n] },
    randomBytes,
  )
  const order = privateKey.pPrime * privateKey.qPrime
  const composite = 2n ** 596n + 15n
  const inverse = openssl.inverse(composite, order) ?? 0n
  const other = openssl.power(A, (e * inverse) % order, key.n)
  assert.is(openssl.power(other, composite, key.n), openssl.power(A, e, key.n))
  assert.not.ok(isProbablePrime(openssl, composite))
  assert.not.ok(verifySignature(openssl, key, { A: other, e: composite, v }, [SECRET_KEY, 1n]))
})
Signatures.run()
