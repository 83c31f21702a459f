/** The compact form of a JWS, in which JWTs come: header, claims and signature in Base64url. Which key and which algorithm are right, whoever reads one says. @module */
import { InvalidRequest } from './errors.ts'
import { type JsonOptions, writeJson } from './json.ts'
import { type JsonObject, mapShapeErrors, readObject, readText } from './shape.ts'

/** The numbers of a JWT that need not be integers are its claims alone, because some are times (RFC 7519, NumericDate); what stands in a claim is a message of this service. */
export const JWT_NUMBERS: JsonOptions = { integersFrom: 2 }

/** @param sign makes the signature over that text, in the form of JWS */
export function writeJws(header: object, claims: object, sign: (text: Uint8Array) => Uint8Array): string {
  const text = [header, claims].map(part => base64url(Buffer.from(writeJson(part)))).join('.')
  return `${text}.${base64url(sign(Buffer.from(text)))}`
}

/** @param part header or claims, whose characters were checked
 *  @param what stands for it in an error
 *  @throws {InvalidRequest} if it is no JSON object in UTF-8 */
export function readJwsPart(part: string, what: string): JsonObject {
  const text = Buffer.from(part, 'base64url').toString()
  return mapShapeErrors(InvalidRequest, () => readObject(readText(text, JWT_NUMBERS), `JWT: ${what}`))
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
