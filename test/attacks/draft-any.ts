/** A disclosure proof over any numbers. Its equation holds, and it may break the rules about indices and sizes. @module */
import { attributeExponent } from '../../crypto/attribute.ts'
import { type DisclosureProof, METADATA, SECRET_KEY } from '../../crypto/disclosure.ts'
import {
  type Draft,
  type HiddenExponent,
  hide,
  mapValues,
  respond,
  secretProduct,
} from '../../crypto/draft.ts'
import { type IssuerPublicKey, systemParameters } from '../../crypto/public-key.ts'
import { randomInteger } from '../../crypto/random.ts'
import { type ClSignature, signatureEquation } from '../../crypto/signature.ts'
import { arithmetic, bytes } from './forge.ts'

export type AnyCredential = {
  readonly key: IssuerPublicKey
  readonly signature: ClSignature
  /** from base index 1 on */
  readonly attributes: readonly bigint[]
}

/** Long enough to hide an e of any size. */
const MORE_BITS = 400

/** @param disclosed base indices; those that are left out are hidden, metadata and secret key included */
export function draftAny(
  { key, signature, attributes }: AnyCredential,
  disclosed: readonly number[],
  secretKey: HiddenExponent,
): Draft<DisclosureProof> {
  const { Le, Lm, LRA, LeCommit, LvCommit, LmCommit } = systemParameters(key.n)
  const values = [secretKey.value, ...attributes].map((value, index) => [index, value] as const)
  const secrets = new Map(
    values
      .filter(([index]) => !disclosed.includes(index))
      .map(([index, value]) => [
        index,
        index === SECRET_KEY ? secretKey : hide(attributeExponent(value, Lm), LmCommit, bytes),
      ]),
  )
  const r = randomInteger(LRA, bytes)
  const A = (signature.A * arithmetic.power(key.S, r, key.n)) % key.n
  const shift = signature.e - 2n ** BigInt(Le - 1)
  const e = hide(shift, shift < 0n ? LeCommit + MORE_BITS : LeCommit, bytes)
  const v = hide(signature.v - signature.e * r, LvCommit, bytes)
  const R = mapValues(secrets, ({ randomizer }) => randomizer)
  const Z = secretProduct(arithmetic, key, signatureEquation(A, e.randomizer, v.randomizer, R))
  return {
    contribution: [A, Z],
    respond: c => ({
      c,
      A,
      eResponse: respond(e, c),
      vResponse: respond(v, c),
      aResponses: mapValues(secrets, each => respond(each, c)),
      aDisclosed: new Map(values.filter(([index]) => disclosed.includes(index))),
    }),
  }
}

/** A signature that needs no issuer: with e = 1 every A is its own power. A verifier refuses such an e by its size alone. */
export function selfSigned(
  key: IssuerPublicKey,
  secretKey: bigint,
  attributes: readonly bigint[],
): AnyCredential {
  const { Lv, Lm } = systemParameters(key.n)
  const v = randomInteger(Lv, bytes)
  const powers = attributes.map((value, i) =>
    arithmetic.power(key.R[METADATA + i] ?? 0n, attributeExponent(value, Lm), key.n),
  )
  const [first = 0n] = key.R
  const all = [arithmetic.power(key.S, v, key.n), arithmetic.power(first, secretKey, key.n), ...powers]
  const product = all.reduce((one, other) => (one * other) % key.n, 1n)
  const A = (key.Z * (arithmetic.inverse(product, key.n) ?? 0n)) % key.n
  return { key, signature: { A, e: 1n, v }, attributes }
}
