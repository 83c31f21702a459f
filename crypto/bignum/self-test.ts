/** Tests that a backend calculates the same as BigInt, once per thread and before its first use. It compares hashes of the results, because
 *  BigInt takes 90 ms to calculate them. @module */
import { createHash } from 'node:crypto'
import { REVOCATION_BITS, systemParameters } from '../public-key.ts'
import type { Arithmetic } from './arithmetic.ts'

const ones = (bits: number): bigint => 2n ** BigInt(bits) - 1n
/** Factors of half the size of a large key. Processors have special code for this size. */
const FACTORS = { p: 2n ** 1024n - 105n, q: 2n ** 1024n - 107n }
/** Length of the modulus in bits. It is not the modulus of an issuer: any odd one shows whether products are correct. */
const KEY_BITS = 1024
const KEY = {
  n: ones(KEY_BITS),
  Z: 2n,
  S: 3n ** 500n,
  R: [5n ** 400n],
  counter: 0,
  expiresAtSec: 0,
  revocation: { G: 13n ** 250n, H: 17n ** 240n, ecdsa: '' },
}

/** A key of the length that issuers use: a backend may multiply numbers of this length in another way. */
const LARGE_KEY = { ...KEY, n: ones(2 * KEY_BITS), Z: 7n ** 700n }

function results(arithmetic: Arithmetic): readonly unknown[] {
  const { LvCommit, LmCommit, LeCommit } = systemParameters(KEY.n)
  const base = 7n ** 360n
  const powers = {
    inverseZ: 3n ** 160n,
    S: ones(LvCommit) - 3n ** 900n,
    R: new Map([[0, ones(LmCommit)]]),
    G: ones(KEY_BITS + REVOCATION_BITS),
    H: 3n ** 1000n,
    others: [
      { base, exponent: 3n ** BigInt(LeCommit) },
      { base: 11n ** 200n, exponent: 3n ** 160n },
    ],
  }
  const exponent = { p: FACTORS.p - 2n, q: FACTORS.q - 3n ** 600n }
  return [
    arithmetic.keyProduct(KEY, powers),
    arithmetic.keyProduct(KEY, {}),
    arithmetic.keyProduct(KEY, { R: new Map([[0, ones(LmCommit)]]) }), // a backend with tables has this table now
    arithmetic.keyProduct(LARGE_KEY, {
      inverseZ: ones(9),
      others: [{ base: LARGE_KEY.n - 3n, exponent: ones(99) }],
    }),
    arithmetic.power(base, 3n ** 400n, KEY.n),
    arithmetic.secretPower(base, 3n ** 400n, KEY.n),
    arithmetic.secretProductByFactors(
      [
        { base, exponent },
        { base: 5n ** 400n, exponent: FACTORS },
      ],
      FACTORS,
    ),
    arithmetic.inverse(KEY.Z, KEY.n),
    arithmetic.inverse(3n, KEY.n),
  ]
}

/** The hashes of the results of BigInt. */
const EXPECTED: readonly string[] = [
  'StaTrflXUr1IfaDm_kqAVDfGHMhZClYZ4zH05J6vP8A',
  'a4ayc_80_OGda4BO_1o_V0etpOqiLx1JwB5S3beHW0s',
  'tIiBckj3hdtxF1WPlQsT97M-JnXCPs8wTRtfzBPx6g4',
  'AtkXKv0_6pRsr3ah3bU7YlSEWlbfVj2VofmxH6V0wE4',
  'qUs4WVdw6_AkM0hCsoj9mSMqD4gvPa4FlGF1owyYylg',
  'qUs4WVdw6_AkM0hCsoj9mSMqD4gvPa4FlGF1owyYylg',
  'Rkh4m5UA5ECND6XBJu-gL7mpqz7iEJ5Vqa6qev8JeI8',
  'WubV-fjQmpdxVerZXPXQLNI66HuDmQWBuspIFQRQOag',
  '6wRdeNJzEHNIsDAMAdKbdVLWIqu8b6-Bs-xVNZqplQw',
]

/** @returns a hash of each result of the self-test */
export function hashesOfResults(arithmetic: Arithmetic): readonly string[] {
  return results(arithmetic).map(result => createHash('sha256').update(String(result)).digest('base64url'))
}

/** @throws {Error} naming the first result that differs */
export function selfTest(arithmetic: Arithmetic): void {
  for (const [i, hash] of hashesOfResults(arithmetic).entries())
    if (hash !== EXPECTED[i]) throw new Error(`arithmetic ${arithmetic.name}: self-test ${i} failed`)
}
