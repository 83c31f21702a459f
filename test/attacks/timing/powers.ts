/** Powers with secret exponents, and roots of signatures. All exponents have the same length. One case compares exponents with few 1 bits and with many.
 *  The other compares a fixed exponent with random exponents. @module */
import { randomBytes, randomInt } from 'node:crypto'
import type { Arithmetic, Halves } from '../../../crypto/bignum/arithmetic.ts'
import { chooseArithmetic } from '../../../crypto/bignum/choose.ts'
import { findSignaturePrime } from '../../../crypto/issuance.ts'
import { powerOfSecret } from '../../../crypto/keyshare/secrets.ts'
import { randomInteger } from '../../../crypto/random.ts'
import { rootOf } from '../../../crypto/roots.ts'
import { keyOf } from '../../crypto/vectors.ts'
import type { Case, Work } from './measure.ts'

/** Number of exponents per class. */
const EXPONENTS = 64
const [MK_BITS, WK_BITS, HALF_BITS] = [255, 640, 1_022]
const { publicKey: key, privateKey } = keyOf('svc-demo.gov-0')
const { n, S } = key
const { p, q } = privateKey

/** Numbers with exactly `bits` bits. */
function exponents(bits: number, make: () => bigint): readonly bigint[] {
  const top = 1n << BigInt(bits - 1)
  return Array.from({ length: EXPONENTS }, () => top | make())
}

const sparse = (bits: number): readonly bigint[] => exponents(bits, () => 1n << BigInt(randomInt(bits - 1)))
const dense = (bits: number): readonly bigint[] => exponents(bits, () => randomInteger(bits - 1, randomBytes))

/** The same number in other memory each time. */
function fixed(bits: number): readonly bigint[] {
  const [one = 0n] = dense(bits)
  return Array.from({ length: EXPONENTS }, () => BigInt(String(one)))
}

type Classes = readonly [first: readonly bigint[], second: readonly bigint[]]
type CaseTraits = Pick<Case, 'name'> & Partial<Pick<Case, 'kind' | 'share'>>

function power(facts: CaseTraits, classes: Classes, work: (exponent: bigint) => unknown): Case {
  const worksOf = (of: readonly bigint[]): Work[] => of.map(exponent => () => work(exponent))
  return { kind: 'secret', share: 0.2, calls: 1, ...facts, works: [worksOf(classes[0]), worksOf(classes[1])] }
}

/** Both pairs of classes. */
function powers(name: string, bits: number, work: (exponent: bigint) => unknown): readonly Case[] {
  return [
    power({ name: `${name}, few ones or many` }, [sparse(bits), dense(bits)], work),
    power({ name: `${name}, fixed or random` }, [fixed(bits), dense(bits)], work),
  ]
}

function byFactors(arithmetic: Arithmetic): (exponent: bigint) => unknown {
  return exponent => {
    const halves: Halves = { p: exponent, q: exponent }
    return arithmetic.secretProductByFactors([{ base: S, exponent: halves }], { p, q })
  }
}

/** The root of a signature, under one of two keys of the same length. */
function roots(arithmetic: Arithmetic): Case {
  const e = findSignaturePrime(arithmetic, n, randomBytes)
  const worksOf = (id: string): Work[] => {
    const { publicKey, privateKey: of } = keyOf(id)
    return [() => rootOf(arithmetic, { base: publicKey.S, e, n: publicKey.n, privateKey: of }, randomBytes)]
  }
  const works = [worksOf('svc-demo.gov-0'), worksOf('svc-keyshare.keyshare-0')] as const
  return { name: 'issuer, root under one of two keys', kind: 'secret', share: 0.2, calls: 1, works }
}

/** @throws if OpenSSL cannot be loaded: a server in production does not start then */
export function powersOfSecrets(): readonly Case[] {
  const openssl = chooseArithmetic('openssl')
  const bigint = chooseArithmetic('bigint')
  return [
    ...powers('keyshare, P', MK_BITS, mk => powerOfSecret(key, mk, openssl)),
    ...powers('keyshare, Pcommit', WK_BITS, wk => powerOfSecret(key, wk, openssl)),
    ...powers('issuer, by the factors', HALF_BITS, byFactors(openssl)),
    ...powers('issuer, attribute by the factors', MK_BITS, byFactors(openssl)),
    roots(openssl),
    power(
      { name: 'for comparison: a public power', kind: 'public' },
      [sparse(WK_BITS), dense(WK_BITS)],
      exponent => openssl.power(S, exponent, n),
    ),
    power({ name: 'for comparison: tables', kind: 'public' }, [sparse(MK_BITS), dense(MK_BITS)], exponent =>
      openssl.keyProduct(key, { R: new Map([[0, exponent]]) }),
    ),
    power(
      { name: 'for comparison: BigInt, P', kind: 'public', share: 0.05 },
      [sparse(MK_BITS), dense(MK_BITS)],
      mk => powerOfSecret(key, mk, bigint),
    ),
  ]
}
