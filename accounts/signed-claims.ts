/** Verifies the claims of a compact JWS (spec/keyshare-server#3.5, #7.2). The caller sets the only algorithm and the key; the JWT cannot choose
 *  them. No error contains text of a JWT. @module */
import { type KeyObject, type VerifyKeyObjectInput, verify } from 'node:crypto'
import { readJwsPart } from '../protocol/compact-jws.ts'
import { InvalidRequestError } from '../protocol/errors.ts'
import { isOfFuture } from '../protocol/jwt-times.ts'
import { isGiven, type JsonObject } from '../protocol/shape.ts'

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** The claims of a JWT before its signature is checked, only for finding the key.
 *  @throws {InvalidRequestError} if the text is not a JWT */
export function uncheckedClaims(jwt: string): JsonObject {
  return partsOf(jwt).claims
}

type Parts = {
  readonly header: JsonObject
  readonly claims: JsonObject
  /** the signed text */
  readonly signed: string
  readonly signature: Uint8Array
}

function partsOf(jwt: string): Parts {
  if (!COMPACT.test(jwt))
    throw new InvalidRequestError('JWT: expected three parts in Base64url, got something else')
  const [header = '', claims = '', signature = ''] = jwt.split('.')
  const parts = {
    header: readJwsPart(header, 'header'),
    claims: readJwsPart(claims, 'claims'),
    signed: `${header}.${claims}`,
    signature: Buffer.from(signature, 'base64url'),
  }
  if (parts.header.crit !== undefined)
    throw new InvalidRequestError('JWT: expected no crit in its header, got one') // an extension could change which bytes are signed
  return parts
}

/** The claims of a JWT that the key signed and that is valid now.
 *  @param algorithm the only accepted one
 *  @param key reused by the caller, because a check with a new object for each JWT takes several times as long
 *  @throws {InvalidRequestError} if the text is not a JWT, if another key or algorithm signed it, or if it is expired or not yet valid */
export function verifiedClaims(
  jwt: string,
  key: KeyObject,
  { algorithm, nowSec }: { readonly algorithm: 'ES256' | 'RS256'; readonly nowSec: number },
): JsonObject {
  const { header, claims, signed, signature } = partsOf(jwt)
  // on this thread: passing the check to another thread costs more than the check
  const isRight = () => verify('sha256', Buffer.from(signed), checkedWith(key, algorithm), signature)
  if (header.alg !== algorithm || !isRight())
    throw new InvalidRequestError(
      `JWT: expected a signature with ${algorithm} and the right key, got another`,
    )
  checkTimes(claims, nowSec)
  return claims
}

/** The key in the form that `verify` accepts. For RS256 no options are passed, because Node 24 takes 1.5 times as long with them. */
function checkedWith(key: KeyObject, algorithm: 'ES256' | 'RS256'): KeyObject | VerifyKeyObjectInput {
  return algorithm === 'RS256' ? key : { key, dsaEncoding: 'ieee-p1363' }
}

function checkTimes(claims: JsonObject, nowSec: number): void {
  const exp = timeOf(claims, 'exp')
  // without leeway: a login ends at the time that was announced, and an app can choose a later `exp`
  if (exp !== null && nowSec >= exp)
    throw new InvalidRequestError('JWT: expected an exp in the future, got one in the past: send a new JWT')
  for (const name of ['iat', 'nbf'] as const)
    if (isOfFuture(timeOf(claims, name) ?? nowSec, nowSec))
      throw new InvalidRequestError(`JWT: expected an ${name} that is not of the future, got a later one`)
}

/** Unix seconds; null: the claim is missing.
 *  @throws {InvalidRequestError} if the claim is not a number, or one that JavaScript cannot represent exactly */
export function timeOf(claims: JsonObject, name: 'exp' | 'iat' | 'nbf'): number | null {
  const time = claims[name]
  if (!isGiven(time)) return null
  if (typeof time === 'number') return time
  throw new InvalidRequestError(`JWT: ${name}: expected a number of seconds, got something else`)
}
