/** Names of issuer public keys in messages of keyshare servers and wallet apps: `<scheme>.<issuer>-<counter>` (spec/keyshare-server#3.2). Names of schemes and
 *  issuers may contain hyphens, so the last hyphen is the separator. @module */
import { MAX_PROOFS } from '../../crypto/proof-list.ts'
import { MalformedInputError } from '../errors.ts'
import { type IssuerId, parseIssuerId } from '../ids.ts'
import type { JsonValue } from '../json.ts'
import { readList, readString, ShapeError } from '../shape.ts'

export type PublicKeyId = { readonly issuer: IssuerId; readonly counter: number }

/** No leading zeros, so that a key has only one name. */
const COUNTER = /^(0|[1-9][0-9]{0,8})$/

/** @throws {MalformedInputError} */
export function parsePublicKeyId(text: string): PublicKeyId {
  const at = text.lastIndexOf('-')
  const counter = text.slice(at + 1)
  if (at < 0 || !COUNTER.test(counter))
    throw new MalformedInputError(
      `public key id: expected <scheme>.<issuer>-<counter>, got ${JSON.stringify(text.slice(0, 100))}`,
    )
  return { issuer: parseIssuerId(text.slice(0, at)), counter: Number(counter) }
}

export function publicKeyIdText({ issuer, counter }: PublicKeyId): string {
  return `${issuer}-${counter}`
}

/** The keys of a request, in its order. A key may occur several times, because an app names one per proof.
 *  @throws {ShapeError} if there are none, or more than the maximum number of proofs in a message
 *  @throws {MalformedInputError} */
export function readPublicKeyIds(json: JsonValue | undefined, what: string): readonly PublicKeyId[] {
  const list = readList(json, what)
  if (list.length === 0) throw new ShapeError(`no key specified: ${what}: expected at least one, got none`)
  if (list.length > MAX_PROOFS)
    throw new ShapeError(`${what}: expected at most ${MAX_PROOFS}, got ${list.length}`)
  return list.map(each => parsePublicKeyId(readString(each, `${what}: element`)))
}
