/** An SD-JWT VC as this server issues it (spec/session-server#18): `<JWT>~<disclosure>~...~`, with ES256 and every attribute selectively disclosable. @module */
import { createHash, type KeyObject, sign } from 'node:crypto'
import { writeJws } from '../compact-jws.ts'
import { writeJson } from '../json.ts'
import type { PublicJwk } from './key-binding-keys.ts'

/** Largest `sdJwtBatchSize` of a credential. */
export const MAX_BATCH_SIZE = 200

const SALT_BYTES = 16

export type SdJwtToSign = {
  readonly issuer: {
    readonly url: string
    readonly x5c: readonly string[]
    /** secret; on the curve P-256 */
    readonly privateKey: KeyObject
  }
  /** id of the credential type */
  readonly vct: string
  readonly issuedAtSec: number
  readonly expiresAtSec: number
  /** the key of the wallet app */
  readonly key: PublicJwk
  /** attributes by name */
  readonly attributes: Readonly<Record<string, string>>
}

/** Names of the payload that an attribute must not have: a verifier could not tell it from the claim. */
export const CLAIM_NAMES: readonly string[] = [
  ...['_sd', '_sd_alg', '...', 'aud', 'cnf', 'exp', 'iat', 'iss', 'jti', 'nbf', 'status', 'sub', 'vct'],
  'vct#integrity',
]

type Disclosure = { readonly text: string; readonly digest: string }

/** The disclosures are in the order of their digests, so that their positions reveal nothing about the attributes.
 *  @param randomBytes for the salts */
export function signSdJwt(
  { issuer, vct, issuedAtSec, expiresAtSec, key, attributes }: SdJwtToSign,
  randomBytes: (count: number) => Uint8Array,
): string {
  const disclosures = Object.entries(attributes)
    .map(([name, value]) => disclosureOf([base64url(randomBytes(SALT_BYTES)), name, value]))
    .sort((a, b) => (a.digest < b.digest ? -1 : 1))
  const header = { alg: 'ES256', typ: 'dc+sd-jwt', x5c: issuer.x5c }
  const payload = {
    _sd: disclosures.length === 0 ? undefined : disclosures.map(({ digest }) => digest),
    _sd_alg: 'sha-256',
    cnf: { jwk: key },
    exp: expiresAtSec,
    iat: issuedAtSec,
    iss: issuer.url,
    vct,
  }
  const jwt = writeJws(header, payload, text =>
    sign('sha256', text, { key: issuer.privateKey, dsaEncoding: 'ieee-p1363' }),
  )
  return [jwt, ...disclosures.map(({ text }) => text), ''].join('~')
}

function disclosureOf(parts: readonly [salt: string, name: string, value: string]): Disclosure {
  const text = base64url(Buffer.from(writeJson(parts)))
  return { text, digest: digestOf(text) }
}

/** The digest of an encoded disclosure, as `_sd` contains it. */
export function digestOf(disclosure: string): string {
  return createHash('sha256').update(disclosure, 'ascii').digest('base64url')
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
