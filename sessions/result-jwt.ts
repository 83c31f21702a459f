/** Signed results (spec/interface#5.2, spec/session-server#13.3 and #13.4): the session result as a JWT, and the form of an older API server. Each read
 *  makes a new JWT, so that `iat` is the current time. @module */
import { type KeyObject, sign as signBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { writeJson } from '../protocol/json.ts'
import type { Profile } from '../protocol/profiles.ts'
import type { SessionType } from '../protocol/request.ts'
import type { SessionOutcome } from './result.ts'

/** The key that signs results, and its name. */
export type ResultSigner = {
  /** `iss`; empty: left out */
  readonly issuer: string
  /** RSA; secret */
  readonly privateKey: KeyObject
  /** the key that verifies the results */
  readonly publicKeyPem: string
}

export type ResultJwtFacts = {
  readonly type: SessionType
  /** from now on, seconds */
  readonly validitySec: number
  readonly nowSec: number
}

/** @param result as `sessionResult` made it; its members follow the claims of the JWT
 *  @returns the JWT; it holds attribute values */
export function signResult(
  result: object,
  facts: ResultJwtFacts & { readonly profile: Pick<Profile, 'disclosureResultSubject'> },
  signer: ResultSigner,
): Promise<string> {
  const { type, validitySec, nowSec, profile } = facts
  return sign(
    {
      exp: nowSec + validitySec,
      iat: nowSec,
      iss: signer.issuer || undefined,
      sub: type === 'disclosing' ? profile.disclosureResultSubject : `${type}_result`,
      ...result,
    },
    signer,
  )
}

const LEGACY_SUBJECTS = {
  disclosing: 'disclosure_result',
  signing: 'abs_result',
  issuing: 'issue_result',
} as const

/** @param outcome as returned by `outcomeToShow`
 *  @returns the JWT; it holds attribute values */
export function signLegacyProof(
  outcome: SessionOutcome | null,
  { type, validitySec, nowSec }: ResultJwtFacts,
  signer: ResultSigner,
): Promise<string> {
  const disclosed = (outcome?.disclosed ?? []).flatMap(attributes => attributes ?? [])
  return sign(
    {
      attributes: new Map(disclosed.map(({ id, rawvalue }) => [id, rawvalue ?? ''])),
      exp: nowSec + validitySec,
      iat: nowSec,
      iss: signer.issuer || undefined,
      signature: outcome?.signature,
      status: outcome?.proofStatus ?? '',
      sub: LEGACY_SUBJECTS[type],
    },
    signer,
  )
}

const HEADER = base64url(JSON.stringify({ alg: 'RS256', typ: 'JWT' }))

/** Signs in the thread pool; on the event loop it would block all other work for a third of a millisecond. */
const signBeside = promisify(signBytes)

async function sign(claims: object, { privateKey }: ResultSigner): Promise<string> {
  const signed = `${HEADER}.${base64url(writeJson(claims))}`
  return `${signed}.${(await signBeside('sha256', Buffer.from(signed), privateKey)).toString('base64url')}`
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
