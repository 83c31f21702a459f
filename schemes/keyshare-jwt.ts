/** Verifies JWTs of a scheme's keyshare server (spec/keyshare-server#3.6). They are signed with RS256 and a key that the scheme publishes as
 *  `kss-<kid>.pem`. The caller checks claims and times. No error contains text of a JWT. @module */
import type { KeyObject } from 'node:crypto'
import { type CompactJWSHeaderParameters, compactVerify, errors } from 'jose'
import { JWT_NUMBERS } from '../protocol/compact-jws.ts'
import { type JsonObject, readJsonBytes, readObject } from '../protocol/shape.ts'
import type { Scheme } from './types.ts'

const KEY_NUMBER = /^(0|[1-9][0-9]{0,8})$/

/** The text is not a JWT of this keyshare server. */
export class ForeignKeyshareJwtError extends Error {
  override readonly name = 'ForeignKeyshareJwtError'
}

/** @throws {ForeignKeyshareJwtError}
 *  @throws {ShapeError} if the signed text is not an object */
export async function keyshareClaims(jwt: string, scheme: Pick<Scheme, 'keyshareKeys'>): Promise<JsonObject> {
  const payload = await verifiedPayload(jwt, scheme)
  return readObject(readJsonBytes(payload, 'keyshare JWT', JWT_NUMBERS), 'keyshare JWT')
}

/** Only RS256: the JWT must not choose the algorithm of a key. */
async function verifiedPayload(jwt: string, scheme: Pick<Scheme, 'keyshareKeys'>): Promise<Uint8Array> {
  try {
    const verified = await compactVerify(jwt, header => keyOf(header, scheme), { algorithms: ['RS256'] })
    return verified.payload
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError)) throw cause
    throw new ForeignKeyshareJwtError(
      'a JWT that its keyshare server signed with RS256, got something else',
      {
        cause,
      },
    )
  }
}

/** `kid` is the number of the key, 0 if absent; texts and numbers are accepted. */
function keyOf(
  header: CompactJWSHeaderParameters,
  { keyshareKeys }: Pick<Scheme, 'keyshareKeys'>,
): KeyObject {
  const kid: unknown = header.kid ?? 0
  const isNumber = (typeof kid === 'string' || typeof kid === 'number') && KEY_NUMBER.test(String(kid))
  const key = isNumber ? keyshareKeys.get(Number(kid)) : undefined
  if (key === undefined)
    throw new ForeignKeyshareJwtError('the number of one of its keys as kid, got another')
  return key
}
