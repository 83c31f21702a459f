/** Verifies signed session requests (spec/interface#5.1 rule 3, spec/session-server#6.4) and reads their claims. The configured method of a requestor
 *  decides the algorithm; a JWT cannot choose its key or its check. Of the texts in a JWT, errors quote only the name. @module */
import { createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import { readJwsPart } from '../protocol/compact-jws.ts'
import { InvalidRequestError, SignedRequestTooOldError } from '../protocol/errors.ts'
import type { JsonValue } from '../protocol/json.ts'
import { isExpired, isOfFuture, JWT_LEEWAY_SEC } from '../protocol/jwt-times.ts'
import type { Profile } from '../protocol/profiles.ts'
import { type ExtendedRequest, parseSessionRequest, type SessionType } from '../protocol/request.ts'
import { parseRevocationRequest, type RevocationRequest } from '../protocol/revocation-request.ts'
import { isObject, type JsonObject, mapShapeErrors, readString } from '../protocol/shape.ts'

/** A requestor that signs its requests. */
export type JwtRequestor = {
  readonly name: string
  readonly method: 'hmac' | 'publickey'
  /** the shared secret, or an RSA public key */
  readonly key: KeyObject
}

export type RequestJwtFacts = {
  readonly nowSec: number
  /** since `iat` */
  readonly maxRequestAgeSec: number
  readonly profile: Profile
}

/** Reads the request from the claims.
 *  @throws {InvalidRequestError} */
export type ReadClaims<Content> = (claims: JsonObject, profile: Profile) => Content

const ALGORITHMS = { hmac: 'HS256', publickey: 'RS256' } as const

type Kind = { readonly type: SessionType; readonly subjects: readonly string[]; readonly field: string }

const KINDS: readonly Kind[] = [
  { type: 'disclosing', subjects: ['verification_request', 'disclosing'], field: 'sprequest' },
  { type: 'signing', subjects: ['signature_request', 'signing'], field: 'absrequest' },
  { type: 'issuing', subjects: ['issue_request', 'issuing'], field: 'iprequest' },
]

/** @param text a JWT; white space around it is ignored
 *  @param requestors the requestors that sign; others are unknown here
 *  @param read `sessionRequestOf`, `revocationRequestOf`
 *  @throws {InvalidRequestError} if the text is not a valid JWT of one of them, or if `read` refuses its claims
 *  @throws {SignedRequestTooOldError} */
export async function verifyRequestJwt<Content>(
  text: string,
  requestors: readonly JwtRequestor[],
  { nowSec, maxRequestAgeSec, profile }: RequestJwtFacts,
  read: ReadClaims<Content>,
): Promise<{ readonly requestor: string; readonly asked: Content }> {
  const { jwt, method, header, claims } = decode(text.trim())
  const name = requestorName(header, claims)
  const requestor = requestors.find(each => each.method === method && each.name === name)
  if (requestor === undefined)
    throw new InvalidRequestError(
      `Unknown requestor: ${name.slice(0, 100)}: expected one with auth_method ${method}, because the JWT has the algorithm ${ALGORITHMS[method]}`,
    )
  verifySignature(jwt, requestor)
  checkTimes(claims, nowSec)
  const iatSec = timeOf(claims, 'iat')
  if (iatSec + maxRequestAgeSec < nowSec)
    throw new SignedRequestTooOldError(
      `jwt too old: expected an iat at most ${maxRequestAgeSec} s ago, got ${iatSec === 0 ? 'none' : `one ${whole(nowSec - iatSec)} s ago`}; sign each request when it is sent`,
    )
  return { requestor: name, asked: read(claims, profile) }
}

type Decoded = {
  readonly jwt: string
  readonly method: JwtRequestor['method']
  readonly header: JsonObject
  readonly claims: JsonObject
}

/** Decodes the JWT without checking its signature. */
function decode(jwt: string): Decoded {
  const parts = jwt.split('.')
  const [header = '', claims = ''] = parts
  if (parts.length !== 3 || !parts.every(part => /^[\w-]*$/.test(part)))
    throw unauthenticated('a JWT of three parts')
  const head = readJwsPart(header, 'its header')
  const decoded = { jwt, header: head, claims: readJwsPart(claims, 'its claims') }
  if (head.crit !== undefined) throw unauthenticated('no crit in its header') // an extension could change which bytes are signed
  if (head.alg === ALGORITHMS.hmac) return { ...decoded, method: 'hmac' }
  if (head.alg === ALGORITHMS.publickey) return { ...decoded, method: 'publickey' }
  throw unauthenticated('the algorithm HS256 or RS256')
}

function unauthenticated(expected: string): InvalidRequestError {
  return new InvalidRequestError(`request could not be authenticated: JWT: expected ${expected}`)
}

/** `kid` has precedence over `iss`. */
function requestorName({ kid }: JsonObject, claims: JsonObject): string {
  if (kid === undefined) return mapShapeErrors(InvalidRequestError, () => readString(claims.iss, 'JWT: iss'))
  if (typeof kid !== 'string') throw new InvalidRequestError('requestor name was not a string: kid')
  return kid
}

/** @throws {InvalidRequestError} */
function verifySignature(jwt: string, { method, key }: JwtRequestor): void {
  const end = jwt.lastIndexOf('.')
  const signed = Buffer.from(jwt.slice(0, end))
  const signature = Buffer.from(jwt.slice(end + 1), 'base64url')
  const isRight = method === 'hmac' ? isMac : isSignature
  if (!isRight(signed, key, signature))
    throw new InvalidRequestError(
      `signature is invalid: expected ${ALGORITHMS[method]} with the requestor's key`,
    )
}

function isMac(signed: Buffer, key: KeyObject, mac: Buffer): boolean {
  const right = createHmac('sha256', key).update(signed).digest()
  return mac.length === right.length && timingSafeEqual(mac, right)
}

function isSignature(signed: Buffer, key: KeyObject, signature: Buffer): boolean {
  return verify('sha256', signed, key, signature)
}

/** A time that is absent or 0 is accepted. */
function checkTimes(claims: JsonObject, nowSec: number): void {
  const [exp, iat, nbf] = [timeOf(claims, 'exp'), timeOf(claims, 'iat'), timeOf(claims, 'nbf')]
  if (isOfFuture(nbf, nowSec))
    throw new InvalidRequestError(`token is not valid yet: ${ofPast('nbf', nbf, nowSec)}`)
  if (isOfFuture(iat, nowSec))
    throw new InvalidRequestError(`token used before issued: ${ofPast('iat', iat, nowSec)}`)
  if (exp !== 0 && isExpired(exp, nowSec))
    throw new InvalidRequestError(
      `token is expired: expected an exp in the future, got one ${whole(nowSec - exp)} s ago; compare the clocks of both servers`,
    )
}

function ofPast(name: string, at: number, nowSec: number): string {
  return `expected an ${name} at most ${JWT_LEEWAY_SEC} s ahead, got one ${whole(at - nowSec)} s ahead; compare the clocks of both servers`
}

/** Rounded up, so that a message never names a time that would be right. */
function whole(sec: number): number {
  return Math.ceil(sec)
}

/** Unix seconds, with a fraction if the signer has one (RFC 7519, NumericDate); absent: 0. */
function timeOf(claims: JsonObject, name: 'exp' | 'iat' | 'nbf'): number {
  const time = claims[name] ?? 0
  if (typeof time === 'number' && time >= 0 && time <= Number.MAX_SAFE_INTEGER) return time
  throw new InvalidRequestError(
    `JWT: ${name}: expected a number of seconds from 0 to ${Number.MAX_SAFE_INTEGER}, got something else`,
  )
}

/** A session request (spec/interface#5.1).
 *  @throws {InvalidRequestError} */
export function sessionRequestOf(claims: JsonObject, profile: Profile): ExtendedRequest {
  const { kind, body } = signedRequestIn(claims)
  const extended = inBody(() => parseSessionRequest(body, profile))
  if (extended.request.type !== kind.type)
    throw new InvalidRequestError(
      `Invalid JWT body: expected a request of type ${kind.type}, got ${extended.request.type}`,
    )
  return extended
}

/** @returns the extended session request as JSON
 *  @throws {InvalidRequestError} */
export function signedRequestIn(claims: JsonObject): { readonly kind: Kind; readonly body: JsonObject } {
  const kind = KINDS.find(({ subjects }) => subjects.some(subject => subject === claims.sub))
  if (kind === undefined)
    throw new InvalidRequestError(
      `Invalid session type: expected one of ${KINDS.flatMap(({ subjects }) => subjects).join(', ')} as sub`,
    )
  const body = claims[kind.field]
  if (!isObject(body) || !isObject(body.request) || isGiven(body['@context']))
    throw new InvalidRequestError(`Invalid JWT body: expected an extended session request in ${kind.field}`)
  return { kind, body }
}

function isGiven(json: JsonValue | undefined): boolean {
  return json !== undefined && json !== null && json !== ''
}

/** A request to revoke, for any `sub` (spec/session-server#17).
 *  @throws {InvalidRequestError} */
export function revocationRequestOf({ revrequest }: JsonObject, profile: Profile): RevocationRequest {
  return inBody(() => parseRevocationRequest(revrequest, profile))
}

function inBody<Content>(parse: () => Content): Content {
  try {
    return parse()
  } catch (cause) {
    if (!(cause instanceof InvalidRequestError)) throw cause
    throw new InvalidRequestError(`Invalid JWT body: ${cause.message}`, { cause })
  }
}
