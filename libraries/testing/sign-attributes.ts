/** Signs attributes together with a known secret key: any credential, at any time, without a session. @module */
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { findSignaturePrime, signCommitment } from '../../crypto/issuance.ts'
import type { IssuerPrivateKey, IssuerPublicKey } from '../../crypto/public-key.ts'
import type { RandomBytes } from '../../crypto/random.ts'
import type { ClSignature } from '../../crypto/signature.ts'

type AttributesToSign = {
  readonly key: IssuerPublicKey
  readonly privateKey: IssuerPrivateKey
  /** the whole m_0 */
  readonly secretKey: bigint
  /** from base index 1 on: metadata first */
  readonly attributes: readonly bigint[]
}

/** Signs attributes together with a secret key that the signer knows.
 *  @throws {RangeError} if the keys do not match, or for more attributes than the key has bases */
export function signAttributes(
  arithmetic: Arithmetic,
  { secretKey, ...input }: AttributesToSign,
  randomBytes: RandomBytes,
): ClSignature {
  const { n, R } = input.key
  const U = arithmetic.secretPower(R[0] ?? 0n, secretKey, n)
  const e = findSignaturePrime(arithmetic, n, randomBytes)
  return signCommitment(arithmetic, { ...input, U, context: 1n, n2: 0n }, e, randomBytes).signature
}
