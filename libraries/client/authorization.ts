/** How a requestor authenticates (spec/interface#5.1): with a token, or by signing its request. @module */
import { importPKCS8, SignJWT } from 'jose'
import type { CallContent } from './calls.ts'
import type { ExtendedRequest, RevocationRequest, SessionRequest } from './messages.ts'

export type RequestorAuth =
  | { readonly method: 'token'; readonly token: string }
  /** @param key the shared secret, as bytes */
  | { readonly method: 'hmac'; readonly name: string; readonly key: Uint8Array }
  /** @param key an RSA private key: PKCS #8 in PEM */
  | { readonly method: 'publickey'; readonly name: string; readonly key: string }

/** The request to authenticate. */
export type RequestToAuthorize =
  | { readonly type: 'session'; readonly request: SessionRequest }
  | { readonly type: 'revocation'; readonly request: RevocationRequest }

const SUBJECTS = {
  disclosing: ['verification_request', 'sprequest'],
  signing: ['signature_request', 'absrequest'],
  issuing: ['issue_request', 'iprequest'],
} as const

export async function authorized(
  wanted: RequestToAuthorize,
  auth: RequestorAuth | undefined,
): Promise<CallContent> {
  if (auth === undefined || auth.method === 'token') {
    const header = auth && { Authorization: auth.token }
    return {
      body: JSON.stringify(wanted.request),
      headers: { ...header, 'Content-Type': 'application/json' },
    }
  }
  const { subject, claims } = claimsOf(wanted)
  const algorithm = auth.method === 'hmac' ? 'HS256' : 'RS256'
  const key = auth.method === 'hmac' ? auth.key : await importPKCS8(auth.key, algorithm)
  const jwt = new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ: 'JWT' })
  const body = await jwt.setIssuer(auth.name).setSubject(subject).setIssuedAt().sign(key)
  return { body, headers: { 'Content-Type': 'text/plain' } }
}

function claimsOf(wanted: RequestToAuthorize) {
  if (wanted.type === 'revocation')
    return { subject: 'revocation_request', claims: { revrequest: wanted.request } }
  const { request } = wanted
  const extended: ExtendedRequest = 'request' in request ? request : { request }
  const [subject, field] = SUBJECTS[typeOf(extended)]
  return { subject, claims: { [field]: extended } }
}

function typeOf({ request }: ExtendedRequest): keyof typeof SUBJECTS {
  if ('type' in request) return request.type
  if ('credentials' in request) return 'issuing'
  return 'message' in request ? 'signing' : 'disclosing'
}
