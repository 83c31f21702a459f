/** The public keys to which a wallet app wants SD-JWTs bound (spec/session-server#18): JWKs in the commitment message. Only the members that make up the key are kept,
 *  because an SD-JWT is shown to others. @module */
import { integerOf } from '../../crypto/bytes.ts'
import { type JsonValue, readJson } from '../json.ts'
import { isGiven, type JsonObject, readList, readObject, readString, ShapeError } from '../shape.ts'
import { CURVES, isOnCurve } from './curves.ts'

/** The members that make up a public key, in alphabetic order. */
export type PublicJwk = Readonly<Record<string, string>>

/** The name of the list in the message. */
export const KEY_BINDING_KEYS = 'keybinding_pub_keys'

/** Members of private keys (RFC 7518, RFC 8037). */
const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
const ED25519_BYTES = 32
/** Bounds of the modulus of an RSA key. */
const [LEAST_RSA_BYTES, MOST_RSA_BYTES] = [256, 512]
const MOST_EXPONENT_BYTES = 8

/** @returns none if the member is absent, null or empty: the app does not know SD-JWTs
 *  @throws {ShapeError} without any text of a key */
export function readKeyBindingKeys(json: JsonValue | undefined): readonly PublicJwk[] {
  return readList(json, KEY_BINDING_KEYS).map((each, i) => readKey(each, `${KEY_BINDING_KEYS}[${i}]`))
}

/** True for a JWK that `readKeyBindingKeys` takes.
 *  @param json parsed JSON */
export function isPublicKey(json: unknown): boolean {
  try {
    readKeyBindingKeys(readJson(JSON.stringify([json])))
    return true
  } catch (error) {
    if (error instanceof ShapeError) return false
    throw error
  }
}

function readKey(json: JsonValue, what: string): PublicJwk {
  const jwk = readObject(json, what)
  if (PRIVATE.some(name => isGiven(jwk[name])))
    throw new ShapeError(`${what}: expected a public key, got a private one; send only kty, crv, x and y`)
  switch (readString(jwk.kty, `${what}.kty`)) {
    case 'EC':
      return readPoint(jwk, what)
    case 'OKP':
      return readEdwards(jwk, what)
    case 'RSA':
      return readRsa(jwk, what)
    default:
      throw new ShapeError(`${what}.kty: expected EC, OKP or RSA, got another key type`)
  }
}

function readPoint(jwk: JsonObject, what: string): PublicJwk {
  const crv = readString(jwk.crv, `${what}.crv`)
  const curve = CURVES.get(crv)
  if (curve === undefined) throw new ShapeError(`${what}.crv: expected P-256, got an unknown curve`)
  const range = [curve.bytes, curve.bytes] as const
  const [x, y] = [readMember(jwk, 'x', what, range), readMember(jwk, 'y', what, range)]
  if (!isOnCurve(curve, integerOf(x.bytes), integerOf(y.bytes)))
    throw new ShapeError(`${what}: expected a point of the curve, got another one`)
  return { crv, kty: 'EC', x: x.text, y: y.text }
}

function readEdwards(jwk: JsonObject, what: string): PublicJwk {
  const crv = readString(jwk.crv, `${what}.crv`)
  if (crv !== 'Ed25519') throw new ShapeError(`${what}.crv: expected Ed25519, got an unknown curve`)
  return { crv, kty: 'OKP', x: readMember(jwk, 'x', what, [ED25519_BYTES, ED25519_BYTES]).text }
}

function readRsa(jwk: JsonObject, what: string): PublicJwk {
  const e = readMember(jwk, 'e', what, [1, MOST_EXPONENT_BYTES])
  const exponent = integerOf(e.bytes)
  if (exponent < 3n || exponent % 2n === 0n)
    throw new ShapeError(`${what}.e: expected an odd number of at least 3, got another`)
  const n = readMember(jwk, 'n', what, [LEAST_RSA_BYTES, MOST_RSA_BYTES])
  return { e: e.text, kty: 'RSA', n: n.text }
}

/** Base64url without padding, in its canonical spelling. */
function readMember(jwk: JsonObject, name: string, what: string, [least, most]: readonly [number, number]) {
  const text = readString(jwk[name], `${what}.${name}`, most * 2)
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text || bytes.length < least || bytes.length > most)
    throw new ShapeError(
      `${what}.${name}: expected ${least === most ? least : `${least} to ${most}`} bytes in Base64url without padding`,
    )
  return { text, bytes: new Uint8Array(bytes) }
}
