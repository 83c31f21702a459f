/** Verifies signed results (spec/interface#5.2): the signature, the type of JWT and the expiry. @module */
import { errors, importJWK, importSPKI, type JWK, type JWTPayload, jwtVerify } from 'jose'
import type { SessionRequest } from './messages.ts'
import type { SessionResult } from './results.ts'

/** A key in PEM, as `publicKey()` returns it, or a JWK. */
export type ServerKey = string | JWK

export type VerifyOptions = {
  /** Key of the server. Store it instead of requesting it each time. Pass several while a server changes its key. */
  readonly publicKey: ServerKey | readonly ServerKey[]
  /** the name of the server (`jwt_issuer`); left out: any */
  readonly issuer?: string
  /** the time at which `exp` is checked; left out: now */
  readonly currentDate?: Date
}

/** The `sub` of each `type`; `disclosing_result` is used by the profile `irma`. The JWT of `getproof` has other subjects, and no `type`. */
const SUBJECTS = [
  ['disclosing', 'verification_result'],
  ['disclosing', 'disclosing_result'],
  ['signing', 'signing_result'],
  ['issuing', 'issuing_result'],
] as const
const ALGORITHM = 'RS256'
type Checks = { readonly issuer?: string; readonly currentDate?: Date }

/** Reads a signed result, from `resultJwt`, a callback or a call for the next session.
 *  @throws {JOSEError} of jose for a signature by another key, another issuer, an expired JWT, or a JWT that is not a session result. The error contains none of
 *  the JWT's claims.
 *  @example
 *  const result = await verifyResult<typeof request>(jwt, { publicKey, issuer: 'id.example' })
 *  const isAdult = result.status === 'DONE' && result.proofStatus === 'VALID' && attributes(result)['svc-demo.gov.idcard.over18'] === 'yes' */
export async function verifyResult<R extends SessionRequest = SessionRequest>(
  jwt: string,
  { publicKey, ...checks }: VerifyOptions,
): Promise<SessionResult<R>> {
  const payload = await signedBy([publicKey].flat(), jwt, checks)
  const { exp: _, iat: __, iss: ___, sub, ...result } = payload
  if (!SUBJECTS.some(([type, subject]) => type === result.type && subject === sub))
    throw new errors.JWTClaimValidationFailed('expected "sub" of a session result, got another', {}, 'sub')
  return result as SessionResult<R> // the caller names the type of the request that it signed for
}

async function signedBy(
  [first, ...others]: readonly ServerKey[],
  jwt: string,
  checks: Checks,
): Promise<SessionResult & JWTPayload> {
  if (first === undefined) throw new TypeError('publicKey: expected at least one key, got none')
  const key = await (typeof first === 'string' ? importSPKI(first, ALGORITHM) : importJWK(first, ALGORITHM))
  try {
    const required = { algorithms: [ALGORITHM], requiredClaims: ['exp', 'iat'], ...checks }
    return (await jwtVerify<SessionResult>(jwt, key, required)).payload
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed && others.length > 0)
      return signedBy(others, jwt, checks)
    throw withoutPayload(error)
  }
}

/** Removes the claims from an error of jose. They contain attributes of a person, and errors are logged. */
function withoutPayload(error: unknown): unknown {
  if (error instanceof errors.JWTExpired)
    return new errors.JWTExpired(error.message, {}, error.claim, error.reason)
  if (error instanceof errors.JWTClaimValidationFailed)
    return new errors.JWTClaimValidationFailed(error.message, {}, error.claim, error.reason)
  return error
}
