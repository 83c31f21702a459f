/** Session requests signed as requestors do (spec/interface#2.7, #5.1), for tests. @module */
import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type JWTPayload, SignJWT } from 'jose'

export const SECRET = createSecretKey(Buffer.from('the shared secret of a requestor'))
export const OTHER_SECRET = createSecretKey(Buffer.from('the secret of another requestor!'))
export const RSA_PRIVATE = createPrivateKey(readFileSync('test/vectors/keys/requestor-rs256.private.pem'))
export const RSA_PUBLIC = createPublicKey(RSA_PRIVATE)

export type Signature = { readonly alg: string; readonly key: KeyObject; readonly kid?: unknown }

export const HS256: Signature = { alg: 'HS256', key: SECRET }
export const RS256: Signature = { alg: 'RS256', key: RSA_PRIVATE }

/** The names for each kind of request. The kind is in `@context`, or in `type` of the older form. */
const KINDS = [
  { word: /sign/, sub: 'signature_request', field: 'absrequest' },
  { word: /issu/, sub: 'issue_request', field: 'iprequest' },
  { word: /disclos/, sub: 'verification_request', field: 'sprequest' },
]

/** Claims as a requestor makes them. */
export function claimsOf(name: string, extended: { readonly request: object }, nowSec: number): JWTPayload {
  const { '@context': context, type = context }: { '@context'?: string; type?: string } = extended.request
  const kind = KINDS.find(({ word }) => word.test(type ?? ''))
  if (!kind) throw new Error('expected a session request')
  return { iat: nowSec, iss: name, sub: kind.sub, [kind.field]: extended }
}

export function signed(claims: JWTPayload, { alg, key, kid }: Signature): Promise<string> {
  const header = { alg, typ: 'JWT', ...(kid !== undefined && { kid }) }
  return new SignJWT(claims).setProtectedHeader(header as { alg: string }).sign(key) // allows a kid that is not a text
}
