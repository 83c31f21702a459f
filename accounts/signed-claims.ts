/** Claims of a compact JWS (`spec/keyshare-server.md` 3.5, 7.2): whoever reads one says which single algorithm and which key it must have; no JWT chooses
 *  them. Times have no leeway. No text of a JWT stands in an error. @module */
import type { KeyObject } from 'node:crypto'
import { compactVerify, errors } from 'jose'
import { InvalidRequest } from '../protocol/errors.ts'
import { isGiven, type JsonObject, mapShapeErrors, readObject, readText } from '../protocol/shape.ts'

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** What a JWT says before anybody has checked who says so; good for finding the key alone.
 *  @throws {InvalidRequest} if it is no JWT */
export function uncheckedClaims(jwt: string): JsonObject {
  if (!COMPACT.test(jwt))
    throw new InvalidRequest('JWT: expected three parts in Base64url, got something else')
  const [header = '', claims = ''] = jwt.split('.')
  if (decoded(header, 'header').crit !== undefined)
    throw new InvalidRequest('JWT: expected no crit in its header, got one') // it could change what is signed
  return decoded(claims, 'claims')
}

function decoded(part: string, what: string): JsonObject {
  const text = Buffer.from(part, 'base64url').toString()
  return mapShapeErrors(InvalidRequest, () => readObject(readText(text), `JWT: ${what}`))
}

/** What the holder of a key says, for now.
 *  @param algorithm the only one that is accepted
 *  @param key kept by the caller: with a new object for each JWT, a check takes several times as long
 *  @throws {InvalidRequest} if it is no JWT, or another key or algorithm signed it, or its time is over or has not come */
export async function verifiedClaims(
  jwt: string,
  key: KeyObject,
  { algorithm, nowSec }: { readonly algorithm: 'ES256' | 'RS256'; readonly nowSec: number },
): Promise<JsonObject> {
  const claims = uncheckedClaims(jwt)
  try {
    await compactVerify(jwt, key, { algorithms: [algorithm] })
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError)) throw cause
    throw new InvalidRequest(`JWT: expected a signature with ${algorithm} and the right key, got another`, {
      cause,
    })
  }
  checkTimes(claims, nowSec)
  return claims
}

function checkTimes(claims: JsonObject, nowSec: number): void {
  const exp = timeOf(claims, 'exp')
  if (exp !== null && nowSec >= exp)
    throw new InvalidRequest('JWT: expected an exp of the future, got one that is over')
  for (const name of ['iat', 'nbf'] as const)
    if ((timeOf(claims, name) ?? nowSec) > nowSec)
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
