/** Makes a signing key of an OpenID provider. @module */
import { generateKeyPair, hash, type JsonWebKey } from 'node:crypto'
import { promisify } from 'node:util'
import type { SigningAlgorithm, SigningJwk } from './key-rotation.ts'

const make = promisify(generateKeyPair)
const RSA_BITS = 2_048

/** @returns a private key, whose id is its thumbprint (RFC 7638) */
export async function makeSigningKey(alg: SigningAlgorithm): Promise<SigningJwk> {
  const { privateKey } = await (alg === 'RS256'
    ? make('rsa', { modulusLength: RSA_BITS })
    : make('ec', { namedCurve: 'P-256' }))
  const jwk = privateKey.export({ format: 'jwk' })
  return { ...jwk, kid: thumbprint(jwk), alg, use: 'sig' }
}

/** The hash of the required members of the public key, in the order of their names. */
function thumbprint({ kty, crv, e, n, x, y }: JsonWebKey): string {
  const members = kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y }
  return hash('sha256', JSON.stringify(members), 'base64url')
}
