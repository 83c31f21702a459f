import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto'
import * as assert from 'uvu/assert'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { bitLength } from '../../crypto/bytes.ts'
import { type IssuerKeyPair, makeIssuerKey } from '../../crypto/issuer-key.ts'
import { isProbablePrime } from '../../crypto/prime.ts'
import { type RestOfEight, searchSafePrime } from '../../crypto/safe-prime.ts'
import { suite } from '../suite.ts'
import { openssl } from './proofs.ts'

const Keys = suite('new issuer keys (spec/cryptography#2.3)')
const [BITS, BASES] = [512, 6]

function safePrime(rest: RestOfEight): bigint {
  for (;;) {
    const { p } = searchSafePrime(openssl, { bits: BITS, rest }, randomBytes)
    if (p !== null) return p
  }
}

const factors = { p: safePrime(3), q: safePrime(7) }
const wanted = { factors, bases: BASES, counter: 3, expiresAtSec: 1_900_000_000 }

Keys('safe primes have their length and begin with two 1 bits; their remainders modulo 8 differ', () => {
  for (const [p, rest] of [
    [factors.p, 3n],
    [factors.q, 7n],
  ] as const) {
    assert.is(p % 8n, rest)
    assert.is.not(((p - 1n) / 2n) % 8n, 1n)
    assert.is(p >> BigInt(BITS - 2), 3n)
    assert.ok(isProbablePrime(bigintArithmetic, p) && isProbablePrime(bigintArithmetic, (p - 1n) / 2n))
  }
  assert.is(bitLength(factors.p * factors.q), 2 * BITS)
})

Keys('the same randomness gives the same search and the same key, with either arithmetic', () => {
  const source = () => {
    let state = 1
    return (count: number) =>
      Uint8Array.from({ length: count }, () => (state = (state * 48_271) % 2_147_483_647))
  }
  const small = { bits: 128, rest: 3 } as const
  assert.equal(searchSafePrime(openssl, small, source()), searchSafePrime(bigintArithmetic, small, source()))
  assert.equal(makeIssuerKey(openssl, wanted, source()), makeIssuerKey(bigintArithmetic, wanted, source()))
})

Keys('a search that is no longer needed ends before its next candidate', () => {
  let left = 3
  const isNeeded = () => left-- > 0
  assert.equal(
    searchSafePrime(openssl, { bits: 2048, rest: 3, isNeeded }, () => new Uint8Array(256)),
    {
      p: null,
      tested: 3,
    },
  )
})

Keys('the bases are different squares modulo both primes, and the numbers of the key belong together', () => {
  const { publicKey, privateKey } = makeIssuerKey(openssl, wanted, randomBytes)
  const { n, S, Z, R, revocation } = publicKey
  assert.is(n, privateKey.p * privateKey.q)
  assert.equal([2n * privateKey.pPrime + 1n, 2n * privateKey.qPrime + 1n], [factors.p, factors.q])
  const bases = [S, Z, ...R, revocation?.G ?? 0n, revocation?.H ?? 0n]
  assert.is(new Set(bases).size, BASES + 4)
  for (const base of bases) {
    assert.is(openssl.power(base % factors.p, privateKey.pPrime, factors.p), 1n)
    assert.is(openssl.power(base % factors.q, privateKey.qPrime, factors.q), 1n)
  }
  for (const key of [publicKey, privateKey]) assert.equal([key.counter, key.expiresAtSec], [3, 1_900_000_000])
})

Keys('the key for revocation is a pair on P-256, as other tools read it', () => {
  const { publicKey, privateKey }: IssuerKeyPair = makeIssuerKey(openssl, wanted, randomBytes)
  const secret = createPrivateKey({
    key: privateKey.ecdsa ?? '',
    format: 'der',
    type: 'sec1',
    encoding: 'base64',
  })
  const known = createPublicKey({
    key: publicKey.revocation?.ecdsa ?? '',
    format: 'der',
    type: 'spki',
    encoding: 'base64',
  })
  assert.is(secret.export({ format: 'der', type: 'sec1' }).toString('base64'), privateKey.ecdsa)
  assert.is(known.export({ format: 'der', type: 'spki' }).toString('base64'), publicKey.revocation?.ecdsa)
  const message = Buffer.from('an accumulator')
  assert.ok(verify('sha256', message, known, sign('sha256', message, secret)))
})

Keys('a modulus of another length is refused', () => {
  const short = { ...wanted, factors: { p: 23n, q: 47n } }
  assert.throws(
    () => makeIssuerKey(openssl, short, randomBytes),
    /key length: expected 1024, 2048 or 4096 bits/,
  )
})
Keys.run()
