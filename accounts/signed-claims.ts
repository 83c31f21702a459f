/** Claims of a compact JWS (`spec/keyshare-server.md` 3.5, 7.2): whoever reads one says which single algorithm and which key it must have; no JWT chooses
 *  them. No text of a JWT stands in an error. @module */
import { type KeyObject, type VerifyKeyObjectInput, verify } from 'node:crypto'
import { readJwsPart } from '../protocol/compact-jws.ts'
import { InvalidRequest } from '../protocol/errors.ts'
import { isOfFuture } from '../protocol/jwt-times.ts'
import { isGiven, type JsonObject } from '../protocol/shape.ts'

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** What a JWT says before anybody has checked who says so; good for finding the key alone.
 *  @throws {InvalidRequest} if it is no JWT */
export function uncheckedClaims(jwt: string): JsonObject {
  return partsOf(jwt).claims
}

type Parts = {
  readonly header: JsonObject
  readonly claims: JsonObject
  /** what is signed */
  readonly signed: string
  readonly signature: Uint8Array
}

function partsOf(jwt: string): Parts {
  if (!COMPACT.test(jwt))
    throw new InvalidRequest('JWT: expected three parts in Base64url, got something else')
  const [header = '', claims = '', signature = ''] = jwt.split('.')
  const parts = {
    ...{ header: readJwsPart(header, 'header'), claims: readJwsPart(claims, 'claims') },
    ...{ signed: `${header}.${claims}`, signature: Buffer.from(signature, 'base64url') },
  }
  if (parts.header.crit !== undefined)
    throw new InvalidRequest('JWT: expected no crit in its header, got one') // it could change what is signed
  return parts
}

/** What the holder of a key says, for now.
 *  @param algorithm the only one that is accepted
 *  @param key kept by the caller: with a new object for each JWT, a check takes several times as long
 *  @throws {InvalidRequest} if it is no JWT, or another key or algorithm signed it, or its time is over or has not come */
export function verifiedClaims(
  jwt: string,
  key: KeyObject,
  { algorithm, nowSec }: { readonly algorithm: 'ES256' | 'RS256'; readonly nowSec: number },
): JsonObject {
  const { header, claims, signed, signature } = partsOf(jwt)
  // on this thread: handing such a check to another one costs more than the check
  const isRight = () => verify('sha256', Buffer.from(signed), checkedWith(key, algorithm), signature)
  if (header.alg !== algorithm || !isRight())
    throw new InvalidRequest(`JWT: expected a signature with ${algorithm} and the right key, got another`)
  checkTimes(claims, nowSec)
  return claims
}

/** The key as `verify` takes it. One for RS256 needs no options, with which Node 24 takes half as long again. */
function checkedWith(key: KeyObject, algorithm: 'ES256' | 'RS256'): KeyObject | VerifyKeyObjectInput {
  return algorithm === 'RS256' ? key : { key, dsaEncoding: 'ieee-p1363' }
}

function checkTimes(claims: JsonObject, nowSec: number): void {
  const exp = timeOf(claims, 'exp')
  // without leeway: a login is good for as long as was said, and an app chooses a later one
  if (exp !== null && nowSec >= exp)
    throw new InvalidRequest('JWT: expected an exp of the future, got one that is over')
  for (const name of ['iat', 'nbf'] as const)
    if (isOfFuture(timeOf(claims, name) ?? nowSec, nowSec))
      throw new InvalidRequest(`JWT: expected an ${name} that is not of the future, got a later one`)
}

/** Unix seconds; null: the claim is absent.
 *  @throws {InvalidRequest} if it is no number that JavaScript calculates exactly */
export function timeOf(claims: JsonObject, name: 'exp' | 'iat' | 'nbf'): number | null {
  const time = claims[name]
  if (!isGiven(time)) return null
  if (typeof time === 'number') return time
  throw new InvalidRequest(`JWT: ${name}: expected a number of seconds, got something else`)
}
