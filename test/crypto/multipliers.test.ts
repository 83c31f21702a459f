/** Each way to multiply in raw memory gives the same result as BigInt. @module */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { innerFunctions, type NumberAddress } from '../../crypto/bignum/inner-functions.ts'
import { type Libcrypto, loadLibcrypto } from '../../crypto/bignum/libcrypto.ts'
import { multiplierOf } from '../../crypto/bignum/multipliers.ts'
import { opensslArithmetic } from '../../crypto/bignum/openssl.ts'
import { Room } from '../../crypto/bignum/room.ts'
import { selfTest } from '../../crypto/bignum/self-test.ts'
import { suite } from '../suite.ts'
import { FORMS } from './forms.ts'
import { keyOf } from './vectors.ts'

const lib = loadLibcrypto()
const gov = keyOf('svc-demo.gov-0')
const MODULI = [
  keyOf('svc-demo.fast-0').publicKey.n,
  gov.publicKey.n,
  keyOf('scheme.issuerD-3').publicKey.n,
  2n ** 2048n - 1n,
  2n ** 2047n + 1n,
]

const Multipliers = suite('ways to multiply')

Multipliers(
  'a b modulo n, in any places of the memory, from 0 to n - 1 and for numbers without an inverse',
  () => {
    for (const form of FORMS)
      for (const n of MODULI) {
        const multiplier = multiplierOf(form, n)
        const room = new Room(form, multiplier, n)
        const first = room.piece(0, 3)
        const [second, third] = [first + multiplier.stride, first + 2 * multiplier.stride]
        const edges = fc.constantFrom(0n, 1n, 2n, n - 1n, n - 2n, n / 2n, gov.privateKey.p % n)
        const number = fc.oneof(edges, fc.bigInt({ min: 0n, max: n - 1n }))
        fc.assert(
          fc.property(number, number, (a, b) => {
            room.enter(first, a)
            room.enter(second, b)
            multiplier.multiply(third, first, second)
            multiplier.multiply(room.square, third, third)
            multiplier.multiply(first, first, first)
            multiplier.multiply(second, third, second)
            assert.is(room.leave(third), (a * b) % n)
            assert.is(room.leave(room.square), (a * b * a * b) % n)
            assert.is(room.leave(first), (a * a) % n)
            assert.is(room.leave(second), (a * b * b) % n)
          }),
          { numRuns: 40 },
        )
        multiplier.close()
      }
  },
)
Multipliers('a thousand squarings in one place: no number grows', () => {
  for (const form of FORMS)
    for (const n of MODULI) {
      const multiplier = multiplierOf(form, n)
      const room = new Room(form, multiplier, n)
      room.enter(room.result, n - 3n)
      for (let i = 0; i < 1_000; i++) multiplier.multiply(room.result, room.result, room.result)
      assert.is(room.leave(room.result), bigintArithmetic.power(n - 3n, 2n ** 1000n, n))
      multiplier.close()
    }
})
Multipliers('numbers that are negative or have too many bits are refused', () => {
  for (const form of FORMS)
    for (const n of MODULI) {
      const { encode, decode, close } = multiplierOf(form, n)
      assert.throws(() => encode(-1n), RangeError)
      assert.throws(() => encode(2n ** 4200n), RangeError)
      for (const x of [0n, 1n, n - 1n, 2n ** 52n, 2n ** 104n - 1n, n >> 13n]) assert.is(decode(encode(x)), x)
      close()
    }
})
Multipliers('the fastest available way is used', () => {
  const formsOf = (n = 0n): string[] => FORMS.map(form => multiplierOf(form, n).form)
  const all = ['digits', 'words', 'numbers']
  assert.equal(formsOf(MODULI[1]), all.slice(-FORMS.length))
  const large = formsOf(MODULI[2])
  assert.ok(!large.includes('digits'), 'no digits for 4096 bits')
  if (/^3\.0\./.test(process.versions.openssl)) assert.is(lib.multiplyDigits.size, 0)
})
Multipliers('each way to multiply passes the self-test, and a wrong one is not used', () => {
  for (const form of FORMS) {
    selfTest(opensslArithmetic(form))
    const digits = [...form.multiplyDigits]
    const wrong: Libcrypto[] = [
      ...digits.map(([size, multiply]) => {
        const other: typeof multiply = (r, a, b, n, k0) => multiply(r, a, b, n, k0 + 2)
        return { ...form, multiplyDigits: new Map([...digits, [size, other]]) }
      }),
      ...[16, 32].map(size => ({
        ...form,
        multiplyWords:
          form.multiplyWords &&
          ((
            ...[r, a, b, n, n0, words]: [
              NumberAddress,
              NumberAddress,
              NumberAddress,
              NumberAddress,
              NumberAddress,
              number,
            ]
          ) => form.multiplyWords?.(r, a, words === size ? a : b, n, n0, words)),
      })),
      { ...form, multiply: (r, a, _b, ...more) => form.multiply(r, a, a, ...more) },
    ]
    const used =
      digits.length > 0 ? wrong.slice(0, 2) : form.multiplyWords ? wrong.slice(0, 2) : wrong.slice(2)
    for (const each of used) assert.throws(() => selfTest(opensslArithmetic(each)), /self-test \d failed/)
  }
})
Multipliers('a newer Node is faster if OpenSSL is older than 3.5 and the processor multiplies digits', () => {
  for (const [version, isEligible, expected] of [
    [0x300000d0, 1, true],
    [0x300000d0, 0, false],
    [0x300000d0, undefined, false],
    [0x30500000, 1, false],
    [0x1010100f, 1, false],
  ] as const) {
    const answers = new Map([
      ['OpenSSL_version_num', version],
      ['ossl_rsaz_avx512ifma_eligible', isEligible],
    ])
    const node = {
      func(signature: string) {
        const answer = answers.get(/(\w+)\(/.exec(signature)?.[1] ?? '')
        if (answer === undefined) throw new Error('this OpenSSL has no such function')
        return () => answer
      },
    }
    assert.is(innerFunctions(node as never, () => 0).lacksDigits, expected)
  }
})

Multipliers.run()
