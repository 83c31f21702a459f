/** Reads an SD-JWT VC (spec/session-server#18): `<JWT>~<disclosure>~...~`. It checks the form and the digests, and no signature. @module */
import type { JsonValue } from '../../../protocol/json.ts'
import { digestOf } from '../../../protocol/sd-jwt/sd-jwt.ts'
import {
  isGiven,
  type JsonObject,
  readInteger,
  readJsonBytes,
  readList,
  readObject,
  readString,
  ShapeError,
} from '../../../protocol/shape.ts'

export type ReadSdJwt = {
  readonly header: JsonObject
  readonly payload: JsonObject
  /** the text under the signature */
  readonly signed: string
  readonly signature: Uint8Array
  /** the certificate of the issuer, then those of its CAs; standard Base64 of DER */
  readonly x5c: readonly string[]
  readonly iss: string
  readonly vct: string
  readonly issuedAtSec: number
  readonly expiresAtSec: number
  /** the key that it is bound to */
  readonly jwk: JsonObject
  /** disclosed attributes by name */
  readonly attributes: Readonly<Record<string, string>>
}

const FORM = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/
const TYPES = ['dc+sd-jwt', 'vc+sd-jwt']

/** @throws {ShapeError} that quotes nothing of the SD-JWT */
export function readSdJwt(text: string): ReadSdJwt {
  const [jwt = '', ...disclosures] = text.split('~')
  if (disclosures.pop() !== '')
    throw new ShapeError('SD-JWT: expected no key-binding JWT at its end, because only a holder adds one')
  const [, head = '', body = '', signature = ''] = FORM.exec(jwt) ?? []
  const [header, payload] = [readPart(head, 'header'), readPart(body, 'payload')]
  const x5c = readList(header.x5c, 'SD-JWT: x5c').map(each => readString(each, 'SD-JWT: x5c'))
  if (header.alg !== 'ES256' || !TYPES.includes(readString(header.typ, 'SD-JWT: typ')))
    throw new ShapeError('SD-JWT: expected the algorithm ES256 and the type dc+sd-jwt')
  if (x5c.length === 0 || isGiven(header.kid)) throw new ShapeError('SD-JWT: expected x5c, and no kid')
  return {
    header,
    payload,
    signed: `${head}.${body}`,
    signature: new Uint8Array(Buffer.from(signature, 'base64url')),
    x5c,
    iss: readGiven(payload, 'iss'),
    vct: readGiven(payload, 'vct'),
    issuedAtSec: readInteger(payload.iat, 'SD-JWT: iat', Number.MAX_SAFE_INTEGER),
    expiresAtSec: readInteger(payload.exp, 'SD-JWT: exp', Number.MAX_SAFE_INTEGER),
    jwk: readObject(readObject(payload.cnf, 'SD-JWT: cnf').jwk, 'SD-JWT: cnf.jwk'),
    attributes: readAttributes(payload, disclosures),
  }
}

function readPart(part: string, what: string): JsonObject {
  const name = `SD-JWT: ${what}`
  return readObject(readJsonBytes(Buffer.from(part, 'base64url'), name), name)
}

function readGiven(payload: JsonObject, name: string): string {
  const text = readString(payload[name], `SD-JWT: ${name}`)
  if (text === '') throw new ShapeError(`SD-JWT: expected ${name}, got none`)
  return text
}

/** Each disclosure is referenced by one digest, each digest by one disclosure, and no name occurs twice. */
function readAttributes(payload: JsonObject, disclosures: readonly string[]): Record<string, string> {
  const algorithm = readString(payload._sd_alg, 'SD-JWT: _sd_alg') || 'sha-256'
  if (algorithm !== 'sha-256') throw new ShapeError('SD-JWT: expected the hash sha-256, got another')
  const digests = readList(payload._sd, 'SD-JWT: _sd').map(each => readString(each, 'SD-JWT: _sd'))
  const referenced = new Set(digests)
  const found = new Set(disclosures.map(digestOf))
  if (referenced.size !== digests.length || found.size !== disclosures.length)
    throw new ShapeError('SD-JWT: expected each disclosure and each digest once')
  if (referenced.size !== found.size || [...found].some(digest => !referenced.has(digest)))
    throw new ShapeError('SD-JWT: expected one digest for each disclosure')
  const attributes = disclosures.map(readDisclosure)
  const names = new Set(attributes.map(([name]) => name))
  if (names.size !== attributes.length || [...names].some(name => Object.hasOwn(payload, name)))
    throw new ShapeError('SD-JWT: expected each name once')
  return Object.fromEntries(attributes)
}

function readDisclosure(text: string): readonly [name: string, value: string] {
  const what = 'SD-JWT: disclosure'
  const parts = readList(readJsonBytes(Buffer.from(text, 'base64url'), what), what)
  const [salt, name, value] = parts.map(textOf)
  if (parts.length !== 3 || !salt || !name || value === undefined)
    throw new ShapeError('SD-JWT: expected disclosures of salt, name and text')
  return [name, value]
}

function textOf(json: JsonValue): string | undefined {
  return typeof json === 'string' ? json : undefined
}
