/** Reads the answers of a keyshare server (spec/interface#2.12, spec/keyshare-server#6 to #8, #17.2). They are not trusted. @module */
import type { KeyshareCommitment } from '../../../crypto/keyshare/join.ts'
import type { KeyshareProof } from '../../../crypto/keyshare/merge.ts'
import { readBigInteger } from '../../../protocol/big-integers.ts'
import { RemoteError } from '../../../protocol/errors.ts'
import { readProofP } from '../../../protocol/keyshare/answers.ts'
import {
  isObject,
  type JsonObject,
  readList,
  readMap,
  readObject,
  readString,
  readText,
  ShapeError,
} from '../../../protocol/shape.ts'
import { ForeignKeyshareJwtError, keyshareClaims } from '../../../schemes/keyshare-jwt.ts'
import type { Scheme } from '../../../schemes/types.ts'
import { SessionError } from '../failure.ts'
import { readSessionPointer, type SessionPointer } from '../pointer.ts'
import type { AuthenticationToken } from './account.ts'

/** Minimum remaining validity of a token, because a session takes some time. */
export const MIN_TOKEN_SEC = 60
const DECIMAL = /^(?:0|[1-9][0-9]{0,8})$/
/** Maximum length of a login challenge in Base64; a server generates 32 bytes. */
const MAX_CHALLENGE_CHARACTERS = 512
const METHOD = 'pin_challengeresponse'

/** Reads the answer of `client/register` and `users/renewKeyshareAttribute`. */
export function readPointerAnswer(text: string): SessionPointer {
  return reading(() => readSessionPointer(readText(text)))
}

/** Reads the answer of `users/verify_start`.
 *  @returns the challenge, in the form to send back */
export function readChallengeAnswer(text: string): string {
  return reading(() => {
    const { candidates, challenge } = readObject(readText(text), 'answer')
    if (!readList(candidates, 'candidates').includes(METHOD))
      throw new ShapeError(`candidates: expected ${METHOD} among them`)
    return readString(challenge, 'challenge', MAX_CHALLENGE_CHARACTERS)
  })
}

export type PinAnswer =
  /** secret */
  | { readonly status: 'success'; readonly message: string }
  | { readonly status: 'wrong-pin'; readonly triesLeft: number }
  | { readonly status: 'blocked'; readonly waitSec: number }

/** Reads the answer to a login, and to a change of PIN. */
export function readPinAnswer(text: string): PinAnswer {
  return reading(() => {
    const { status, message } = readObject(readText(text), 'answer')
    const said = readString(message, 'message')
    if (status === 'success') return { status, message: said }
    if ((status !== 'failure' && status !== 'error') || !DECIMAL.test(said))
      throw new ShapeError('answer: expected success, or failure or error with a decimal number')
    const number = Number(said)
    if (status === 'error' && number > 0) return { status: 'blocked', waitSec: number }
    return { status: 'wrong-pin', triesLeft: status === 'error' ? 0 : number }
  })
}

/** Reads an authentication JWT.
 *  @throws {SessionError} unless the keyshare server of this scheme signed it, with an `exp` at least `MIN_TOKEN_SEC` ahead */
export async function readToken(jwt: string, scheme: Scheme, nowSec: number): Promise<AuthenticationToken> {
  const { exp } = await claimsOf(jwt, scheme)
  if (typeof exp !== 'number' || exp < nowSec + MIN_TOKEN_SEC)
    throw malformed(`authentication JWT: expected an exp at least ${MIN_TOKEN_SEC} s ahead`)
  return { jwt, expiresAtSec: exp }
}

/** Reads the answer of `getPs`: P by public key id. */
export function readPs(text: string): ReadonlyMap<string, bigint> {
  return reading(() => byKey(readObject(readText(text), 'answer').ps, 'ps', readBigInteger))
}

/** Reads the answer of `getCommitments`. */
export function readCommitments(text: string): ReadonlyMap<string, KeyshareCommitment> {
  return reading(() =>
    byKey(readObject(readText(text), 'answer').c, 'c', (json, what) => {
      const { P, Pcommit } = readObject(json, what)
      return { P: readBigInteger(P, `${what}.P`), Pcommit: readBigInteger(Pcommit, `${what}.Pcommit`) }
    }),
  )
}

/** Reads the answer of `getCommitments` in the second version: Pcommit by public key id. */
export function readHashedCommitments(text: string): ReadonlyMap<string, bigint> {
  return reading(() => byKey(readObject(readText(text), 'answer').c, 'c', readBigInteger))
}

function byKey<Value>(
  json: JsonObject[string] | undefined,
  what: string,
  read: (json: JsonObject[string], what: string) => Value,
): Map<string, Value> {
  return new Map(Object.entries(readMap(json, what)).map(([key, each]) => [key, read(each, what)]))
}

/** Reads the answer of `getResponse`. Its times are ignored, because the clocks may differ.
 *  @param asked.challenge of the proofs; in the second version the server calculates it again
 *  @throws {SessionError} unless the keyshare server of this scheme signed it, for this challenge and in this version */
export async function readProofJwt(
  jwt: string,
  scheme: Scheme,
  { challenge, version }: { readonly challenge: bigint; readonly version: 'v1' | 'v2' },
): Promise<KeyshareProof> {
  const { ProofP } = await claimsOf(jwt, scheme)
  if (!isObject(ProofP)) throw malformed('JWT of the response: expected a ProofP')
  const proof = reading(() => readProofP(ProofP))
  if ((proof.P === null) !== (version === 'v2') || proof.c !== challenge)
    throw malformed(
      `JWT of the response: expected an answer ${version === 'v2' ? 'without' : 'with'} P to this challenge`,
    )
  return proof
}

async function claimsOf(jwt: string, scheme: Scheme): Promise<JsonObject> {
  try {
    return await keyshareClaims(jwt, scheme)
  } catch (error) {
    if (error instanceof ForeignKeyshareJwtError) throw malformed(`JWT: expected ${error.message}`)
    if (error instanceof ShapeError) throw malformed(error.message)
    throw error
  }
}

function reading<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof ShapeError || error instanceof RemoteError) throw malformed(error.message)
    throw error
  }
}

export function malformed(message: string): SessionError {
  return new SessionError('malformed-answer', `keyshare server: ${message}`)
}
