/** Tests whether the time of a calculation depends on its secret exponent: Welch's t between two classes of exponents of one length, in random order. |t| below 4.5
 *  means that this number of measurements shows no difference. The last rows use functions for public exponents, to show that a difference would be detected.
 *  @module */
import { randomBytes, randomInt } from 'node:crypto'
import type { Halves } from '../../crypto/bignum/arithmetic.ts'
import { loadLibcrypto } from '../../crypto/bignum/libcrypto.ts'
import { opensslArithmetic } from '../../crypto/bignum/openssl.ts'
import { findSignaturePrime } from '../../crypto/issuance.ts'
import { powerOfSecret } from '../../crypto/keyshare/secrets.ts'
import { randomInteger } from '../../crypto/random.ts'
import { rootOf } from '../../crypto/roots.ts'
import { keyOf } from '../../test/crypto/vectors.ts'
import { rounded } from './cpu.ts'
import { welchT } from './timing/welch.ts'

const MEASUREMENTS = 20_000
const WARM_UP = 500
/** Number of exponents per class; each measurement uses a random one. */
const EXPONENTS = 64
/** Fraction of the slowest measurements that is dropped, because they reflect the machine only. */
const SLOWEST = 0.1
const [MK_BITS, WK_BITS, HALF_BITS] = [255, 640, 1_022]

const arithmetic = opensslArithmetic(loadLibcrypto())
const { publicKey: key, privateKey } = keyOf('svc-demo.gov-0')

type Classes<Secret> = { readonly sparse: readonly Secret[]; readonly dense: readonly Secret[] }

/** Numbers with exactly `bits` bits: one class with few bits set, one with half of them. */
function classesOf(bits: number): Classes<bigint> {
  const top = 1n << BigInt(bits - 1)
  const each = (make: () => bigint): bigint[] => Array.from({ length: EXPONENTS }, () => top | make())
  return {
    sparse: each(() => 1n << BigInt(randomInt(bits - 1))),
    dense: each(() => randomInteger(bits - 1, randomBytes)),
  }
}

function halvesOf({ sparse, dense }: Classes<bigint>): Classes<Halves> {
  const both = (values: readonly bigint[]): Halves[] => values.map((p, i) => ({ p, q: values.at(-i) ?? p }))
  return { sparse: both(sparse), dense: both(dense) }
}

/** @param work called with the secret */
function measure<Secret>({ sparse, dense }: Classes<Secret>, work: (secret: Secret) => unknown) {
  const times: { sparse: number[]; dense: number[] } = { sparse: [], dense: [] }
  for (let i = -WARM_UP; i < MEASUREMENTS; i++) {
    const kind = randomInt(2) === 0 ? 'sparse' : 'dense'
    const secret = (kind === 'sparse' ? sparse : dense)[randomInt(EXPONENTS)]
    if (secret === undefined) continue
    const startedAt = process.hrtime.bigint()
    work(secret)
    const took = Number(process.hrtime.bigint() - startedAt)
    if (i >= 0) times[kind].push(took)
  }
  const limit =
    [...times.sparse, ...times.dense].sort((a, b) => a - b)[Math.floor(MEASUREMENTS * (1 - SLOWEST))] ?? 0
  const kept = { sparse: times.sparse.filter(ns => ns < limit), dense: times.dense.filter(ns => ns < limit) }
  return { measurements: MEASUREMENTS, t: rounded(welchT(kept.sparse, kept.dense)) }
}

/** The root of a signature, with one of two keys of the same length. */
function ofTwoKeys() {
  const e = findSignaturePrime(arithmetic, key.n, randomBytes)
  const keysOf = (id: string) => Array.from({ length: EXPONENTS }, () => keyOf(id))
  const keys = { sparse: keysOf('svc-demo.gov-0'), dense: keysOf('svc-keyshare.keyshare-0') }
  return measure(keys, ({ publicKey: { S, n }, privateKey: of }) =>
    rootOf(arithmetic, { base: S, e, n, privateKey: of }, randomBytes),
  )
}

function measureAll() {
  const { n, S } = key
  const { p, q } = privateKey
  const halves = halvesOf(classesOf(HALF_BITS))
  return {
    'keyshare, P': measure(classesOf(MK_BITS), mk => powerOfSecret(key, mk, arithmetic)),
    'keyshare, Pcommit': measure(classesOf(WK_BITS), wk => powerOfSecret(key, wk, arithmetic)),
    'issuer, by the factors': measure(halves, exponent =>
      arithmetic.secretProductByFactors([{ base: S, exponent }], { p, q }),
    ),
    'issuer, attribute by the factors': measure(halvesOf(classesOf(MK_BITS)), exponent =>
      arithmetic.secretProductByFactors([{ base: S, exponent }], { p, q }),
    ),
    'issuer, root under one of two keys': ofTwoKeys(),
    'for comparison: a public power': measure(classesOf(WK_BITS), exponent =>
      arithmetic.power(S, exponent, n),
    ),
    'for comparison: tables': measure(classesOf(MK_BITS), exponent =>
      arithmetic.keyProduct(key, { R: new Map([[0, exponent]]) }),
    ),
  }
}

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const figures = measureAll()
  if (json) console.log(JSON.stringify({ name: 'timing', node: process.version, bits: 2048, figures }))
  else console.table(figures)
}
