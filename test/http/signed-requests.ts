/** Session requests signed as requestors do (spec 2.7, 5.1), for tests. @module */
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

const FIELDS: Readonly<Record<string, string>> = {
  verification_request: 'sprequest',
  signature_request: 'absrequest',
  issue_request: 'iprequest',
}

/** Claims of a request, by the type that its `@context` names. */
export function claimsOf(name: string, extended: { readonly request: object }, nowSec: number): JWTPayload {
  const context = '@context' in extended.request ? String(extended.request['@context']) : ''
  const sub = /signature/.test(context)
    ? 'signature_request'
    : /issuance/.test(context)
      ? 'issue_request'
      : 'verification_request'
  return { iat: nowSec, iss: name, sub, [FIELDS[sub] ?? '']: extended }
}

export function signed(claims: JWTPayload, { alg, key, kid }: Signature): Promise<string> {
  const header = { alg, typ: 'JWT', ...(kid !== undefined && { kid }) }
  return new SignJWT(claims).setProtectedHeader(header as { alg: string }).sign(key) // a kid that is no text, too
}
