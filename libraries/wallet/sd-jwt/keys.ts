/** The keys to which SD-JWTs are bound: a fresh one on the curve P-256 for each, so that two presentations of a credential cannot be linked by their key. @module */
import { createECDH, type ECDH } from 'node:crypto'
import type { RandomBytes } from '../../../crypto/random.ts'
import type { PublicJwk } from '../../../protocol/sd-jwt/key-binding-keys.ts'

const COORDINATE_BYTES = 32
/** Code of the error for a number that is no private key of the curve. */
const OUTSIDE = 'ERR_CRYPTO_INVALID_KEYTYPE'

export type BindingKey = {
  readonly publicKey: PublicJwk
  /** Base64url; secret */
  readonly secret: string
}

export function newBindingKeys(count: number, randomBytes: RandomBytes): readonly BindingKey[] {
  return Array.from({ length: count }, () => newBindingKey(randomBytes))
}

function newBindingKey(randomBytes: RandomBytes): BindingKey {
  const curve = createECDH('prime256v1')
  const secret = freshSecret(curve, randomBytes)
  const point = curve.getPublicKey()
  const coordinate = (from: number) => point.subarray(from, from + COORDINATE_BYTES).toString('base64url')
  const [x, y] = [coordinate(1), coordinate(1 + COORDINATE_BYTES)] // the first byte marks a point with both coordinates
  return { publicKey: { crv: 'P-256', kty: 'EC', x, y }, secret: Buffer.from(secret).toString('base64url') }
}

/** Rejects 0 and numbers above the order of the curve, which are rarer than one in 2^32. */
function freshSecret(curve: ECDH, randomBytes: RandomBytes): Uint8Array {
  for (;;) {
    const secret = randomBytes(COORDINATE_BYTES)
    try {
      curve.setPrivateKey(secret)
      return secret
    } catch (error) {
      const isOutside = error instanceof Error && 'code' in error && error.code === OUTSIDE
      if (!isOutside) throw error
    }
  }
}
