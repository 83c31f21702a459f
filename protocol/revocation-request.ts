/** A request to revoke credentials by the revocation key that the issuer gave them (spec/session-server#17). @module */
import { contextOf } from './contexts.ts'
import { InvalidRequestError } from './errors.ts'
import { type CredentialTypeId, parseCredentialTypeId } from './ids.ts'
import type { JsonValue } from './json.ts'
import type { Profile } from './profiles.ts'
import { mapShapeErrors, readObject, readString, readText, shapeError } from './shape.ts'

export type RevocationRequest = {
  readonly type: CredentialTypeId
  /** personal data */
  readonly revocationKey: string
  /** Unix ns; null: any time of issuance */
  readonly issuedAtNs: bigint | null
}

/** Reads the body of `POST /revocation`.
 *  @throws {InvalidRequestError} also if it is not JSON */
export function parseRevocationRequestText(text: string, profile: Profile): RevocationRequest {
  return parseRevocationRequest(
    mapShapeErrors(InvalidRequestError, () => readText(text)),
    profile,
  )
}

/** @throws {InvalidRequestError} */
export function parseRevocationRequest(
  json: JsonValue | undefined,
  { contextBase }: Profile,
): RevocationRequest {
  return mapShapeErrors(InvalidRequestError, () => {
    const body = readObject(json, 'revocation request')
    if (readString(body['@context'], '@context') !== contextOf(contextBase, 'revocation'))
      throw new InvalidRequestError('not a revocation request')
    return {
      type: parseCredentialTypeId(readString(body.type, 'type')),
      revocationKey: readString(body.revocationKey, 'revocationKey'),
      issuedAtNs: readNs(body.issued),
    }
  })
}

/** Reads nanoseconds, which exceed the integers of a number. Absent and 0 are null. */
function readNs(json: JsonValue | undefined): bigint | null {
  if (json === undefined || json === null) return null
  const ns = typeof json === 'number' && Number.isSafeInteger(json) ? BigInt(json) : json
  if (typeof ns !== 'bigint' || ns < 0n) throw shapeError('issued', 'an integer from 0 on', json)
  return ns === 0n ? null : ns
}

/** Members are in the order of the wire. */
export function writeRevocationRequest(
  { type, revocationKey, issuedAtNs }: RevocationRequest,
  contextBase: string,
): object {
  return {
    '@context': contextOf(contextBase, 'revocation'),
    type,
    revocationKey,
    ...(issuedAtNs !== null && { issued: issuedAtNs }),
  }
}
