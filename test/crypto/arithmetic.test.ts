import fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { Arithmetic, KeyPowers } from '../../crypto/bignum/arithmetic.ts'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { Chain } from '../../crypto/bignum/chain.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { hashesOfResults, selfTest } from '../../crypto/bignum/self-test.ts'
import { bitLength } from '../../crypto/bytes.ts'
import { type IssuerPublicKey, REVOCATION_BITS, systemParameters } from '../../crypto/public-key.ts'
import { suite } from '../suite.ts'
import { keyOf } from './vectors.ts'

const openssl = chooseArithmetic('openssl')
const backends: readonly Arithmetic[] = [openssl, bigintArithmetic]

/** Square and multiply, without optimisations. */
function naivePower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus
    if (bit === '1') result = (result * base) % modulus
  }
  return result
}

const upTo = (bits: number): fc.Arbitrary<bigint> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 2n ** BigInt(bits) - 1n, 2n ** BigInt(bits - 1)) },
    { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }) },
  )
const oddModulus = fc
  .integer({ min: 2, max: 700 })
  .chain(bits => upTo(bits).map(x => 2n ** BigInt(bits) + (x | 1n)))

const Windows = suite('windows of an exponent')

Windows('their sum is the exponent, and there is at most one per width bits of a row', () => {
  const form = fc.record({
    rows: fc.integer({ min: 1, max: 9 }),
    rowBits: fc.integer({ min: 1, max: 90 }),
    width: fc.integer({ min: 1, max: 16 }),
  })
  const input = form.chain(rows => upTo(rows.rows * rows.rowBits).map(exponent => ({ rows, exponent })))
  fc.assert(
    fc.property(input, ({ rows, exponent }) => {
      const rowLength = 2 ** (rows.width - 1)
      // each power is named by its position, from 100 on in steps of 7, so that the plan can be read back
      const chain = new Chain()
      chain.addPower(2n ** 3000n + 1n, { rows: 1, rowBits: 3001, width: 2 }, 5, 1)
      chain.clear()
      chain.addPower(exponent, rows, 100, 7)
      const steps: (number | undefined)[] = []
      chain.run(
        () => steps.push(undefined),
        name => steps.push((name - 100) / 7),
      )
      let column = steps.filter(step => step === undefined).length
      assert.ok(column < rows.rowBits)
      let sum = 0n
      let count = 0
      for (const step of steps) {
        if (step === undefined) column--
        else {
          const [row, index] = [Math.floor(step / rowLength), step % rowLength]
          sum += BigInt(2 * index + 1) << BigInt(row * rows.rowBits + column)
          count++
        }
      }
      assert.is(sum, exponent)
      assert.ok(count <= rows.rows * Math.ceil(rows.rowBits / rows.width))
    }),
    { numRuns: 200 },
  )
})
Windows.run()

const Powers = suite('powers and inverses, both backends')

Powers(
  'base^exponent mod modulus is what repeated multiplication gives, for public and for secret exponents',
  () => {
    const input = fc.tuple(upTo(900), upTo(700), oddModulus)
    fc.assert(
      fc.property(input, ([x, exponent, modulus]) => {
        const base = x % modulus
        const expected = naivePower(base, exponent, modulus)
        for (const { power, secretPower } of backends) {
          assert.is(power(base, exponent, modulus), expected)
          assert.is(secretPower(base, exponent, modulus), expected)
        }
      }),
    )
  },
)
Powers('x times its inverse is 1, and a number with a common divisor has no inverse', () => {
  fc.assert(
    fc.property(upTo(900), oddModulus, (y, modulus) => {
      const x = y % modulus
      const expected = bigintArithmetic.inverse(x, modulus)
      if (expected !== undefined) assert.is((x * expected) % modulus, 1n)
      for (const { inverse } of backends) assert.is(inverse(x, modulus), expected)
    }),
  )
  for (const { inverse } of backends) for (const x of [0n, 3n, 35n]) assert.is(inverse(x, 105n), undefined)
})
Powers(
  'a product of powers by the factors of the modulus equals the product modulo n, at 512, 1024 and 2048 bits each',
  () => {
    for (const id of ['svc-demo.fast-0', 'svc-demo.gov-0', 'scheme.issuerD-3']) {
      const { p, q } = keyOf(id).privateKey
      const powers = [
        { base: (p * q) / 11n, exponent: { p: p / 3n, q: q / 7n } },
        { base: 2n, exponent: { p: 0n, q: 5n } },
        { base: p * 9n, exponent: { p: 3n, q: 1n } },
      ]
      const half = (factor: 'p' | 'q', modulus: bigint): bigint =>
        powers.reduce(
          (x, { base, exponent }) => (x * naivePower(base % modulus, exponent[factor], modulus)) % modulus,
          1n,
        )
      for (const { name, secretProductByFactors } of backends)
        for (const count of [0, 1, 3]) {
          const result = secretProductByFactors(powers.slice(0, count), { p, q })
          if (count === 3) assert.equal([result % p, result % q], [half('p', p), half('q', q)], name)
          if (count === 1) assert.is(result % q, naivePower(((p * q) / 11n) % q, q / 7n, q), name)
          if (count === 0) assert.is(result, 1n, name)
          const fixed = powers.slice(0, count).map(power => ({ ...power, isFixed: true }))
          for (const _ of ['kept', 'used']) assert.is(secretProductByFactors(fixed, { p, q }), result, name)
          assert.ok(result < p * q)
        }
    }
  },
)
Powers('factors may be in either order, and a factor may belong to two moduli', () => {
  const [first, second] = [keyOf('svc-demo.fast-0').privateKey, keyOf('svc-demo.uni-0').privateKey]
  const pairs = [
    { p: first.p, q: first.q },
    { p: first.q, q: first.p },
    { p: first.p, q: second.q },
    { p: first.p, q: first.q },
  ]
  for (const { secretProductByFactors } of backends)
    for (const pair of pairs)
      assert.is(secretProductByFactors([{ base: 3n, exponent: { p: 2n, q: 2n } }], pair), 9n)
})
Powers('factors with a common divisor are refused', () => {
  for (const { secretProductByFactors } of backends)
    assert.throws(
      () => secretProductByFactors([{ base: 2n, exponent: { p: 3n, q: 3n } }], { p: 15n, q: 21n }),
      /without a common divisor/,
    )
})
Powers.run()

const Products = suite('products of powers of a key, both backends')

function naiveProduct(key: IssuerPublicKey, { inverseZ, S, G, H, R, others = [] }: KeyPowers): bigint {
  const powers: [bigint, bigint][] = [
    [bigintArithmetic.inverse(key.Z, key.n) ?? 0n, inverseZ ?? 0n],
    [key.S, S ?? 0n],
    [key.revocation?.G ?? 1n, G ?? 0n],
    [key.revocation?.H ?? 1n, H ?? 0n],
    ...others.map(({ base, exponent }): [bigint, bigint] => [base, exponent]),
  ]
  for (const [index, exponent] of R ?? []) powers.push([key.R[index] ?? 0n, exponent])
  return powers.reduce(
    (product, [base, exponent]) => (product * naivePower(base, exponent, key.n)) % key.n,
    1n,
  )
}

function powersOf(key: IssuerPublicKey): fc.Arbitrary<KeyPowers> {
  const { Ln, LvCommit, LmCommit } = systemParameters(key.n)
  const index = fc.integer({ min: 0, max: key.R.length - 1 })
  const R = fc.array(fc.tuple(index, upTo(LmCommit + 3)), { maxLength: 4 }).map(entries => new Map(entries))
  const other = fc.record({ base: upTo(Ln - 1).map(x => x || 1n), exponent: upTo(900) })
  const ofRevocation = key.revocation && { G: upTo(Ln + REVOCATION_BITS), H: upTo(Ln + REVOCATION_BITS) }
  const others = fc.array(other, { maxLength: 2 })
  const powers = { inverseZ: upTo(256), S: upTo(LvCommit + 1), R, others, ...ofRevocation }
  return fc.record(powers, { requiredKeys: [] })
}

for (const [id, numRuns] of [
  ['svc-demo.fast-0', 24],
  ['svc-demo.gov-0', 6],
  ['scheme.issuerD-3', 2],
] as const)
  Products(`${id}: any exponents up to their largest sizes give what repeated multiplication gives`, () => {
    const { publicKey: key } = keyOf(id)
    fc.assert(
      fc.property(powersOf(key), powers => {
        const expected = naiveProduct(key, powers)
        for (const { name, keyProduct } of backends) assert.is(keyProduct(key, powers), expected, name)
      }),
      { numRuns },
    )
  })
Products('the largest exponents everywhere, and only zeros', () => {
  for (const id of ['svc-demo.fast-0', 'svc-demo.gov-0', 'scheme.issuerD-3']) {
    const { publicKey: key } = keyOf(id)
    const { Ln, LvCommit, LmCommit } = systemParameters(key.n)
    const ones = (bits: number): bigint => 2n ** BigInt(bits) - 1n
    const R = new Map(key.R.map((_, i) => [i, ones(LmCommit + 3)]))
    const largest = {
      inverseZ: ones(256),
      S: ones(LvCommit + 1),
      R,
      ...(key.revocation && { G: ones(Ln + REVOCATION_BITS), H: ones(Ln + REVOCATION_BITS) }),
      others: [
        { base: key.n - 1n, exponent: ones(1157) },
        { base: key.n - 2n, exponent: ones(1155) },
      ],
    }
    assert.is(openssl.keyProduct(key, largest), bigintArithmetic.keyProduct(key, largest))
    const zeros = { inverseZ: 0n, S: 0n, R: new Map([[0, 0n]]), others: [{ base: 5n, exponent: 0n }] }
    for (const { keyProduct } of backends) assert.is(keyProduct(key, zeros), 1n)
  }
})
Products('a base index beyond the key, and an exponent beyond its table, are refused', () => {
  const { publicKey: key } = keyOf('svc-demo.fast-0')
  for (const { keyProduct } of backends)
    for (const index of [-1, key.R.length])
      assert.throws(() => keyProduct(key, { R: new Map([[index, 1n]]) }), /base index: expected below 12/)
  for (const powers of [{ S: 2n ** 2100n }, { G: 2n ** 1604n }, { H: 2n ** 1604n }])
    assert.throws(() => openssl.keyProduct(key, powers), /at most \d+ bits/)
})
Products(
  'G and H of a key that does not support revocation are refused, and a third base that no key has',
  () => {
    const { publicKey: key } = keyOf('scheme.issuerD-3')
    for (const { keyProduct } of backends)
      for (const powers of [{ G: 1n }, { H: 0n }])
        assert.throws(() => keyProduct(key, powers), /supports revocation|a base that the key has/)
    const others = [2n, 3n, 5n].map(base => ({ base, exponent: 1n }))
    assert.throws(() => openssl.keyProduct(key, { others }), /at most 2/)
  },
)
Products('a negative exponent is refused everywhere', () => {
  const { publicKey: key } = keyOf('svc-demo.fast-0')
  for (const { keyProduct, power, secretPower } of backends) {
    const R = new Map([[0, -1n]])
    for (const powers of [{ S: -5n }, { inverseZ: -1n }, { R }, { others: [{ base: 3n, exponent: -2n }] }])
      assert.throws(() => keyProduct(key, powers), /non-negative/)
    assert.throws(() => power(3n, -1n, key.n), /non-negative/)
    assert.throws(() => secretPower(3n, -1n, key.n), /non-negative/)
  }
})
Products('a key whose Z has no inverse is refused', () => {
  const { publicKey, privateKey } = keyOf('svc-demo.fast-0')
  for (const { keyProduct } of backends)
    assert.throws(
      () => keyProduct({ ...publicKey, Z: privateKey.p }, { inverseZ: 1n }),
      /Z that has an inverse/,
    )
})
Products('the tables of a key are not used for another key with the same modulus', () => {
  const { publicKey: key } = keyOf('svc-demo.fast-0')
  const other = { ...key, S: key.Z, R: [...key.R.slice(1), 4n] }
  const { revocation } = key
  const third = { ...key, ...(revocation && { revocation: { ...revocation, H: revocation.G } }) }
  for (const each of [key, other, third, key]) {
    const powers = { S: 12345n, R: new Map([[0, 77n]]), H: 5n }
    assert.is(openssl.keyProduct(each, powers), naiveProduct(each, powers))
  }
})
Products.run()

const Choice = suite('choice of the arithmetic')

Choice('each name gives its backend, always the same one', () => {
  assert.is(chooseArithmetic('bigint').name, 'bigint')
  assert.is(openssl.name, 'openssl')
  assert.is(chooseArithmetic('openssl'), openssl)
  assert.is(chooseArithmetic('auto'), openssl)
})
Choice('the self-test compares with the results of BigInt', () => {
  selfTest(bigintArithmetic)
  assert.equal(hashesOfResults(openssl), hashesOfResults(bigintArithmetic))
})
Choice('a backend with any wrong result fails the self-test', () => {
  selfTest(openssl)
  const wrong: Partial<Arithmetic>[] = [
    { keyProduct: (key, powers) => (openssl.keyProduct(key, powers) + 1n) % key.n },
    { power: () => 1n },
    { secretPower: (base, exponent, modulus) => openssl.power(base, exponent, modulus) ^ 1n },
    { secretProductByFactors: ([power]) => power?.base ?? 0n },
    { inverse: () => undefined },
    { inverse: () => 0n },
  ]
  for (const part of wrong)
    assert.throws(() => selfTest({ ...openssl, ...part }), /arithmetic openssl: self-test \d failed/)
})
Choice('numbers of both backends are below their modulus', () => {
  const n = keyOf('svc-demo.fast-0').publicKey.n
  for (const { power } of backends) assert.is(bitLength(power(n - 1n, 1n, n)), 1024)
})
Choice.run()
