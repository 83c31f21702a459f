/** JWTs that the keyshare server signs (spec/interface#2.12, spec/keyshare-server#3.6 and #7). The authentication JWT proves to this server that the user
 *  entered the right PIN. The answer to a challenge is verified by a session server with the key `kid` of the scheme. Claims are in alphabetical
 *  order. @module */
import { type KeyObject, sign } from 'node:crypto'
import type { KeyshareProof } from '../crypto/keyshare/merge.ts'
import { readBytes, writeBytes } from '../protocol/base64.ts'
import { writeJws } from '../protocol/compact-jws.ts'
import { InvalidRequestError } from '../protocol/errors.ts'
import { proofPClaim } from '../protocol/keyshare/answers.ts'
import { mapShapeErrors } from '../protocol/shape.ts'
import { TOKEN_ID_BYTES } from './secrets.ts'
import { timeOf, verifiedClaims } from './signed-claims.ts'

/** The signing keys of this server. Their objects are reused, because signing with a new object for each JWT takes several times as long. */
export type KeyshareSigner = {
  /** `iss` */
  readonly issuer: string
  /** the number N of the key file `kss-N.pem` of the scheme */
  readonly kid: number
  /** RSA; secret */
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const AUTHENTICATION = 'auth_tok'
const PROOF = 'ProofP'
const TOKEN_ID_CHARACTERS = 44

/** @param tokenId of the account, secret
 *  @returns the authentication JWT, secret */
export function signAuthentication(
  tokenId: Uint8Array,
  { nowSec, validitySec }: { readonly nowSec: number; readonly validitySec: number },
  signer: KeyshareSigner,
): string {
  const times = { exp: nowSec + validitySec, iat: nowSec }
  const token_id = writeBytes(tokenId, 'base64')
  return signed({ ...times, iss: signer.issuer, sub: AUTHENTICATION, token_id }, signer)
}

/** @returns a JWT without a user name and without an expiry; it is valid for one challenge */
export function signProof(proof: KeyshareProof, nowSec: number, signer: KeyshareSigner): string {
  return signed({ ProofP: proofPClaim(proof), iat: nowSec, iss: signer.issuer, sub: PROOF }, signer)
}

function signed(claims: object, { kid, privateKey }: KeyshareSigner): string {
  const header = { alg: 'RS256', kid: String(kid), typ: 'JWT' }
  return writeJws(header, claims, text => sign('sha256', text, privateKey))
}

/** @returns the token id in an authentication JWT; `isTokenId` compares it with an account
 *  @throws {InvalidRequestError} for any other text: this server did not sign it, or not for this purpose, or it is not valid now */
export function tokenIdIn(
  jwt: string,
  { publicKey }: Pick<KeyshareSigner, 'publicKey'>,
  nowSec: number,
): Uint8Array {
  const claims = verifiedClaims(jwt, publicKey, { algorithm: 'RS256', nowSec })
  if (claims.sub !== AUTHENTICATION)
    throw new InvalidRequestError(`invalid jwt token: expected the subject ${AUTHENTICATION}, got another`)
  if (timeOf(claims, 'exp') === null)
    throw new InvalidRequestError('invalid jwt token: expected an exp, got none')
  const tokenId = mapShapeErrors(InvalidRequestError, () =>
    readBytes(claims.token_id, 'token_id', 'base64', TOKEN_ID_CHARACTERS),
  )
  if (tokenId.length !== TOKEN_ID_BYTES)
    throw new InvalidRequestError(
      `invalid jwt token: expected a token_id of ${TOKEN_ID_BYTES} bytes, got another`,
    )
  return tokenId
}
