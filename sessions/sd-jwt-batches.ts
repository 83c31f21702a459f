/** The SD-JWTs of an issuance (spec/session-server#18): the check of a request, and the claims to sign for each key of the wallet app. @module */
import { InvalidRequestError, IssuanceFailedError } from '../protocol/errors.ts'
import { type IssuerId, issuerOf } from '../protocol/ids.ts'
import { writeJson } from '../protocol/json.ts'
import type { IssuanceRequest } from '../protocol/request.ts'
import type { CredentialRequest } from '../protocol/request-members.ts'
import type { PublicJwk } from '../protocol/sd-jwt/key-binding-keys.ts'
import { CLAIM_NAMES, type SdJwtToSign } from '../protocol/sd-jwt/sd-jwt.ts'
import type { SdJwtIssuer, SdJwtIssuers } from '../schemes/sd-jwt/issuers.ts'

/** Maximum of SD-JWTs in one session. Each costs a signature, and all are in one answer. */
const MAX_SD_JWTS = 500
/** Maximum of characters of the SD-JWTs in one answer, which is stored with its session. */
const MAX_CHARACTERS = 8 * 2 ** 20
/** Maximum of characters of one SD-JWT. It is signed in one turn of the event loop, and a longer one would take too long. */
const MAX_CHARACTERS_OF_ONE = 2 ** 17
/** Characters of an SD-JWT without its certificates and attributes, and of a disclosure without name and value. */
const [CHARACTERS_PER_SD_JWT, CHARACTERS_PER_DISCLOSURE] = [600, 120]
/** Base64 of Base64url: each byte takes four thirds of a character. */
const GROWTH = 4 / 3

type IssuersAndTime = {
  /** null: this server issues no SD-JWTs, and ignores requests for them */
  readonly issuers: SdJwtIssuers | null
  readonly nowSec: number
}

type Batch = { readonly credential: CredentialRequest; readonly size: number }

function batchesOf(credentials: readonly CredentialRequest[]): readonly Batch[] {
  return credentials.flatMap(credential => {
    const { sdJwtBatchSize: size = 0 } = credential
    return size === 0 ? [] : { credential, size }
  })
}

/** The number of requested SD-JWTs. */
export function batchSizesOf({ credentials }: Pick<IssuanceRequest, 'credentials'>): number {
  return batchesOf(credentials).reduce((sum, { size }) => sum + size, 0)
}

/** @throws {InvalidRequestError} if this server cannot issue the requested SD-JWTs, or if they are too many or too long */
export function checkBatches(
  credentials: readonly CredentialRequest[],
  { issuers, nowSec }: IssuersAndTime,
): void {
  if (issuers === null) return
  const batches = batchesOf(credentials)
  const count = batches.reduce((sum, { size }) => sum + size, 0)
  if (count > MAX_SD_JWTS)
    throw new InvalidRequestError(
      `sdJwtBatchSize: expected at most ${MAX_SD_JWTS} SD-JWTs in one session, got ${count}`,
    )
  const characters = batches.reduce((sum, batch) => {
    const issuer = issuerFor(batch.credential, { issuers, nowSec }, InvalidRequestError)
    checkNames(batch.credential)
    return sum + batch.size * charactersOf(batch.credential, issuer)
  }, 0)
  if (characters > MAX_CHARACTERS)
    throw new InvalidRequestError(
      `sdJwtBatchSize: expected SD-JWTs of at most ${MAX_CHARACTERS} characters in one session, got about ${characters}; request fewer, or shorter attributes`,
    )
}

type Failure = typeof InvalidRequestError | typeof IssuanceFailedError

function issuerFor(
  { credential }: CredentialRequest,
  { issuers, nowSec }: { readonly issuers: SdJwtIssuers; readonly nowSec: number },
  Failure: Failure,
): SdJwtIssuer {
  const id: IssuerId = issuerOf(credential)
  const issuer = issuers.get(id)
  const why = `sdJwtBatchSize: cannot issue SD-JWTs of ${credential}:`
  if (issuer === undefined) throw new Failure(`${why} this server has no SD-JWT key of issuer ${id}`)
  if (nowSec < issuer.validFromSec || issuer.validUntilSec < nowSec)
    throw new Failure(`${why} the certificates of issuer ${id} are not valid now`)
  return issuer
}

/** The wallet app refuses a disclosure whose name is also a claim. */
function checkNames({ credential, attributes }: CredentialRequest): void {
  const name = Object.keys(attributes).find(each => CLAIM_NAMES.includes(each))
  if (name !== undefined)
    throw new InvalidRequestError(
      `sdJwtBatchSize: cannot issue SD-JWTs of ${credential}: its attribute ${name} has the name of a claim`,
    )
}

/** @throws {InvalidRequestError} if it is too long */
function charactersOf({ credential, attributes }: CredentialRequest, { x5c }: SdJwtIssuer): number {
  const certificates = x5c.reduce((sum, text) => sum + text.length, 0)
  const disclosures = Object.entries(attributes).map(
    ([name, value]) => GROWTH * Buffer.byteLength(writeJson([name, value])) + CHARACTERS_PER_DISCLOSURE,
  )
  const ofDisclosures = disclosures.reduce((sum, length) => sum + length, 0)
  const characters = Math.ceil(GROWTH * certificates + ofDisclosures + CHARACTERS_PER_SD_JWT)
  if (characters > MAX_CHARACTERS_OF_ONE)
    throw new InvalidRequestError(
      `sdJwtBatchSize: expected SD-JWTs of at most ${MAX_CHARACTERS_OF_ONE} characters, got about ${characters} for ${credential}; request shorter attributes`,
    )
  return characters
}

type Requested = IssuersAndTime & {
  readonly request: IssuanceRequest
  /** of the wallet app; empty: it does not know SD-JWTs */
  readonly keys: readonly PublicJwk[]
}

/** One for each key, in their order: all of the first credential, then all of the second.
 *  @throws {IssuanceFailedError} for another number of keys than requested, or if an issuer can no longer sign */
export function sdJwtsOf({ request, keys, issuers, nowSec }: Requested): readonly SdJwtToSign[] {
  const count = batchSizesOf(request)
  if (issuers === null || count === 0 || keys.length === 0) return []
  if (keys.length !== count)
    throw new IssuanceFailedError(
      `number of requested SD-JWTs (${count}) does not match the number of pub keys (${keys.length})`,
    )
  const unbound = batchesOf(request.credentials).flatMap(({ credential, size }) => {
    const issuer = issuerFor(credential, { issuers, nowSec }, IssuanceFailedError)
    return Array<Unbound>(size).fill(unboundOf(credential, issuer, nowSec))
  })
  return unbound.flatMap((each, i) => {
    const key = keys[i]
    return key === undefined ? [] : { ...each, key }
  })
}

type Unbound = Omit<SdJwtToSign, 'key'>

/** @throws {IssuanceFailedError} for a request that was not prepared */
function unboundOf(
  { credential, validityAtSec, attributes }: CredentialRequest,
  issuer: SdJwtIssuer,
  nowSec: number,
): Unbound {
  if (validityAtSec === null) throw new IssuanceFailedError(`${credential}: expected a validity, got none`)
  return { issuer, vct: credential, issuedAtSec: nowSec, expiresAtSec: validityAtSec, attributes }
}
