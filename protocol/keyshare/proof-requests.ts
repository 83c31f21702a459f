/** Requests to the proof endpoints of a keyshare server (spec/interface#2.12, spec/keyshare-server#8), in both versions. Integers arrive as Base64 or as JSON integers
 *  of any size (spec/decisions#k5, #k9). @module */
import type { UserChallengeInput, UserInput } from '../../crypto/keyshare/user-input.ts'
import { MAX_PROOFS } from '../../crypto/proof-list.ts'
import { readBytes } from '../base64.ts'
import { readBigInteger, readNonce } from '../big-integers.ts'
import { InvalidRequestError } from '../errors.ts'
import type { JsonValue } from '../json.ts'
import {
  isGiven,
  mapShapeErrors,
  readBoolean,
  readList,
  readObject,
  readString,
  readText,
  ShapeError,
} from '../shape.ts'
import { type PublicKeyId, parsePublicKeyId, readPublicKeyIds } from './public-key-ids.ts'

const CHALLENGE_BITS = 256
const HASH_BYTES = 32
const NO_HASH = new Uint8Array()
/** Maximum number of characters that are read as such a hash. */
export const MAX_HASH_CHARACTERS = 65_536

/** Reads the body of `getCommitments` in the first version, and of `getPs`. In an issuance, the last key is the one that issues.
 *  @throws {InvalidRequestError} */
export function parseKeysRequest(text: string): readonly PublicKeyId[] {
  return mapShapeErrors(InvalidRequestError, () => readPublicKeyIds(readText(text), 'public keys'))
}

export type HashedCommitmentsRequest = {
  readonly keys: readonly PublicKeyId[]
  /** Hash of the input in the app's later request for a response: 32 bytes. Empty if the app sent another length, which matches no input. */
  readonly hashedComms: Uint8Array
}

/** Reads the body of `getCommitments` in the second version.
 *  @throws {InvalidRequestError} */
export function parseHashedCommitmentsRequest(text: string): HashedCommitmentsRequest {
  return mapShapeErrors(InvalidRequestError, () => {
    const body = readObject(readText(text), 'commitments request')
    const { hashedComms } = readObject(body.hw, 'hw')
    const hash = readBytes(hashedComms, 'hw.hashedComms', 'base64', MAX_HASH_CHARACTERS)
    const isHash = hash.length === HASH_BYTES
    return { keys: readPublicKeyIds(body.keys, 'keys'), hashedComms: isHash ? hash : NO_HASH }
  })
}

/** Reads the body of `getResponse` in the first version: the challenge, of at most 256 bits; `null` is 0.
 *  @throws {InvalidRequestError} */
export function parseChallenge(text: string): bigint {
  return mapShapeErrors(InvalidRequestError, () => {
    const json = readText(text)
    return json === null ? 0n : readBigInteger(json, 'challenge out of bounds', CHALLENGE_BITS)
  })
}

export type ResponseRequest = {
  readonly context: bigint
  readonly nonce: bigint
  /** the app's own response, s_u = r + c*m_u; `resp` on the wire */
  readonly userResponse: bigint
  /** `sig`: the challenge belongs to an attribute-based signature */
  readonly isSignature: boolean
  /** The hashed input. A key belongs to the keyshare server's own scheme or to another scheme. */
  readonly input: readonly (UserInput & { readonly key: PublicKeyId | null })[] | null
}

/** Reads the body of `getResponse` and `getResponseLinkable` in the second version.
 *  @throws {InvalidRequestError} */
export function parseResponseRequest(text: string): ResponseRequest {
  return mapShapeErrors(InvalidRequestError, () => {
    const body = readObject(readText(text), 'response request')
    return {
      context: isGiven(body.context) ? readNonce(body.context, 'context') : 1n,
      nonce: readNonce(body.nonce, 'nonce'),
      userResponse: readBigInteger(body.resp, 'resp'),
      isSignature: readBoolean(body.sig, 'sig'),
      input: isGiven(body.UserChallengeInput) ? readInput(body.UserChallengeInput) : null,
    }
  })
}

function readInput(json: JsonValue): ResponseRequest['input'] & UserChallengeInput {
  const list = readList(json, 'UserChallengeInput')
  if (list.length > MAX_PROOFS)
    throw new ShapeError(`UserChallengeInput: expected at most ${MAX_PROOFS}, got ${list.length}`)
  return list.map((each, i) => {
    const what = `UserChallengeInput[${i}]`
    const { key, val, comm, otherComms } = readObject(each, what)
    return {
      key: isGiven(key) ? parsePublicKeyId(readString(key, `${what}.key`)) : null,
      val: readBigInteger(val, `${what}.val`),
      comm: readBigInteger(comm, `${what}.comm`),
      otherComms: readList(otherComms, `${what}.otherComms`).map(other =>
        readBigInteger(other, `${what}.otherComms`),
      ),
    }
  })
}
