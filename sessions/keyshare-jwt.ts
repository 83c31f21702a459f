/** The part of the keyshare server in an issuance, which the app passes on (spec/interface#4.6 rule 4, spec/cryptography#11.3). It is a JWT that is signed
 *  with a key of the scheme. No error contains text of it. @module */
import type { KeyshareProof } from '../crypto/keyshare/merge.ts'
import { KeyshareProofMissingError, MalformedInputError } from '../protocol/errors.ts'
import type { JsonValue } from '../protocol/json.ts'
import { isExpired } from '../protocol/jwt-times.ts'
import { readProofP } from '../protocol/keyshare/answers.ts'
import { type JsonObject, mapShapeErrors, ShapeError } from '../protocol/shape.ts'
import { ForeignKeyshareJwtError, keyshareClaims } from '../schemes/keyshare-jwt.ts'
import type { Scheme } from '../schemes/types.ts'

/** The maximum lead of a keyshare server's clock over ours. It is longer than for other JWTs, because a commitment there is valid for about 20 s. */
const LEEWAY_SEC = 30

/** @param jwt secret; null: there is none for this scheme
 *  @param scheme a scheme with a keyshare server
 *  @throws {KeyshareProofMissingError} without a JWT, for a JWT that this keyshare server did not sign, or outside its validity
 *  @throws {MalformedInputError} for a signed JWT without a keyshare proof */
export async function readKeyshareJwt(
  jwt: string | null,
  scheme: Pick<Scheme, 'id' | 'keyshareKeys'>,
  nowSec: number,
): Promise<KeyshareProof> {
  if (jwt === null)
    throw new KeyshareProofMissingError(
      `no keyshare proof included for scheme ${scheme.id}: expected its JWT`,
    )
  const claims = await readClaims(jwt, scheme)
  checkClaims(claims, scheme, nowSec)
  return mapShapeErrors(MalformedInputError, () => readProofP(claims.ProofP))
}

async function readClaims(jwt: string, scheme: Pick<Scheme, 'id' | 'keyshareKeys'>): Promise<JsonObject> {
  try {
    return await keyshareClaims(jwt, scheme)
  } catch (cause) {
    if (cause instanceof ForeignKeyshareJwtError) throw invalid(scheme, cause.message, cause)
    if (cause instanceof ShapeError) throw new KeyshareProofMissingError(cause.message, { cause })
    throw cause
  }
}

function checkClaims({ sub, iat, exp, nbf }: JsonObject, scheme: Pick<Scheme, 'id'>, nowSec: number): void {
  if (sub !== 'ProofP') throw invalid(scheme, 'the subject ProofP, got another')
  if (!isTime(iat, at => at <= nowSec + LEEWAY_SEC) || !isTime(nbf, at => at <= nowSec + LEEWAY_SEC))
    throw invalid(scheme, 'a JWT of now, got one of the future')
  if (!isTime(exp, at => !isExpired(at, nowSec))) throw invalid(scheme, 'a JWT of now, got an expired one')
}

/** A missing time is accepted. */
function isTime(json: JsonValue | undefined, isRight: (atSec: number) => boolean): boolean {
  return json === undefined || (typeof json === 'number' && isRight(json))
}

function invalid({ id }: Pick<Scheme, 'id'>, expected: string, cause?: unknown): KeyshareProofMissingError {
  return new KeyshareProofMissingError(
    `invalid keyshare proof included for scheme ${id}: expected ${expected}`,
    {
      cause,
    },
  )
}
