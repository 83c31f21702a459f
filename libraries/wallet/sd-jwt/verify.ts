/** Verifies the SD-JWTs of an issuance against the request of the wallet. If one is wrong, all of them are refused, and the credentials of the session too. @module */
import { verify, X509Certificate } from 'node:crypto'
import { wholeWeeks } from '../../../crypto/metadata.ts'
import { attributeNameOf } from '../../../protocol/ids.ts'
import type { PublicJwk } from '../../../protocol/sd-jwt/key-binding-keys.ts'
import { isGiven, ShapeError } from '../../../protocol/shape.ts'
import { BrokenFileError } from '../../../schemes/scheme-error.ts'
import { isP256, isSignedBy, maySign, publicKeyOf, urlOf } from '../../../schemes/sd-jwt/certificates.ts'
import { SessionError } from '../failure.ts'
import type { Offer } from '../offers.ts'
import type { BindingKey } from './keys.ts'
import { type ReadSdJwt, readSdJwt } from './read.ts'

/** Allowed difference between the clocks of both sides. */
const SKEW_SEC = 180

/** An SD-JWT with the key that it is bound to. */
export type BoundSdJwt = {
  readonly text: string
  /** Base64url; secret */
  readonly secret: string
}

export type SdJwtTrust = {
  /** CAs that may issue; null: every valid chain is accepted */
  readonly roots: readonly X509Certificate[] | null
  readonly nowSec: number
}

export type ExpectedSdJwt = { readonly offer: Offer; readonly key: BindingKey }

/** @param expected one for each key that was sent, in their order
 *  @returns none if the server issues no SD-JWTs
 *  @throws {SessionError} `wrong-credential` */
export function verifySdJwts(
  texts: readonly string[],
  expected: readonly ExpectedSdJwt[],
  trust: SdJwtTrust,
): readonly BoundSdJwt[] {
  if (texts.length === 0) return []
  if (texts.length !== expected.length)
    throw wrong(`expected ${expected.length} SD-JWTs, got ${texts.length}`)
  return expected.map((each, i) => {
    const text = texts[i] ?? ''
    try {
      verifySdJwt(readSdJwt(text), each, trust)
    } catch (error) {
      const isRefused = error instanceof ShapeError || error instanceof BrokenFileError
      throw isRefused ? wrong(error.message) : error
    }
    return { text, secret: each.key.secret }
  })
}

function wrong(message: string): SessionError {
  return new SessionError('wrong-credential', `issued SD-JWT: ${message}`)
}

function verifySdJwt(sdJwt: ReadSdJwt, { offer, key }: ExpectedSdJwt, trust: SdJwtTrust): void {
  const chain = sdJwt.x5c.map(certificateOf)
  const [leaf] = chain
  if (leaf === undefined) throw wrong('expected a certificate, got none')
  const leafKey = publicKeyOf(leaf)
  if (!isP256(leafKey) || !maySign(leaf)) throw wrong('expected a certificate on P-256 that may sign')
  const publicKey = { key: leafKey, dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(sdJwt.signed), publicKey, sdJwt.signature))
    throw wrong('expected a signature by its certificate')
  requireTrusted(chain, trust)
  requireTimes(sdJwt, trust.nowSec)
  if (urlOf(leaf) !== sdJwt.iss) throw wrong('expected iss to be the address in its certificate')
  requireContent(sdJwt, offer)
  if (!isSameKey(sdJwt, key.publicKey)) throw wrong('expected the key of this wallet')
  if (isGiven(sdJwt.payload.status)) throw wrong('expected no status, which this wallet cannot check')
}

function certificateOf(text: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(text, 'base64'))
  } catch {
    throw wrong('expected certificates in x5c')
  }
}

/** Follows the chain to the first certificate that a root has signed, or that is a root itself. */
function requireTrusted(chain: readonly X509Certificate[], { roots, nowSec }: SdJwtTrust): void {
  for (const [i, certificate] of chain.entries()) {
    if (!isValidAt(certificate, nowSec)) throw wrong('expected certificates that are valid now')
    if (roots?.some(root => isRoot(certificate, root) && isValidAt(root, nowSec))) return
    const next = chain[i + 1]
    if (next !== undefined && !isSignedBy(certificate, next))
      throw wrong('expected each certificate to be signed by the next one')
  }
  if (roots !== null) throw wrong('expected certificates of a trusted CA')
}

function isRoot(certificate: X509Certificate, root: X509Certificate): boolean {
  return certificate.raw.equals(root.raw) || isSignedBy(certificate, root)
}

function isValidAt({ validFrom, validTo }: X509Certificate, nowSec: number): boolean {
  return Date.parse(validFrom) / 1_000 <= nowSec && nowSec <= Date.parse(validTo) / 1_000
}

function requireTimes({ issuedAtSec, expiresAtSec, payload }: ReadSdJwt, nowSec: number): void {
  const notBefore = isGiven(payload.nbf) ? Number(payload.nbf) : issuedAtSec
  if (issuedAtSec > nowSec + SKEW_SEC || !(notBefore <= nowSec + SKEW_SEC))
    throw wrong('expected a time of issue that is not in the future')
  if (expiresAtSec < nowSec - SKEW_SEC) throw wrong('expected one that has not expired')
}

/** Checks that type, validity and attributes are those of the offer. */
function requireContent(
  { vct, attributes, expiresAtSec }: ReadSdJwt,
  { type, view, validityAtSec }: Offer,
): void {
  if (vct !== type.id) throw wrong('expected the type of the offer')
  // some servers round the validity of the offer to whole weeks
  if (wholeWeeks(expiresAtSec) !== wholeWeeks(validityAtSec))
    throw wrong('expected the validity of the offer')
  const offered = view.attributes.flatMap(({ id, value }) =>
    value === null ? [] : [[attributeNameOf(id), value] as const],
  )
  const isSame =
    Object.keys(attributes).length === offered.length &&
    offered.every(([name, value]) => attributes[name] === value)
  if (!isSame) throw wrong('expected the attributes of the offer')
}

function isSameKey({ jwk }: ReadSdJwt, key: PublicJwk): boolean {
  const names = Object.keys(key)
  return Object.keys(jwk).length === names.length && names.every(name => jwk[name] === key[name])
}
