/** The issuance commitment message (spec/interface#2.9, spec/cryptography#9.1): body of `POST /commitments`. @module */
import { toBase64 } from '../crypto/bytes.ts'
import type { CommitmentProof } from '../crypto/commitment.ts'
import type { DisclosureProof } from '../crypto/disclosure.ts'
import { readNonce } from './big-integers.ts'
import { MalformedInputError } from './errors.ts'
import type { JsonValue } from './json.ts'
import {
  type DisclosureIndices,
  listProofs,
  type ReadProof,
  readIndices,
  readProof,
  readProofMessage,
  WIDEST_BOUNDS,
  writeCommitment,
  writeDisclosure,
} from './proofs-json.ts'
import { type PublicJwk, readKeyBindingKeys } from './sd-jwt/key-binding-keys.ts'
import { mapShapeErrors, readMap, readObject, readString } from './shape.ts'

export type CommitmentMessage = {
  /** nonce of the issuer's proof of correctness */
  readonly n2: bigint
  /** the disclosure proofs, then one commitment per credential; count and order are not checked here */
  readonly proofs: readonly ReadProof[]
  readonly indices: DisclosureIndices
  /** JWTs of keyshare servers, by scheme (spec/decisions#d13); a scheme may be unknown */
  readonly proofPJwts: ReadonlyMap<string, string>
  /** JWT of the only keyshare server; null: none (spec/decisions#d13) */
  readonly proofPJwt: string | null
  /** keys for the SD-JWTs, in the order of the credentials; empty: the app wants none */
  readonly keys: readonly PublicJwk[]
}

/** Maximum number of characters of a keyshare server's JWT. It contains three numbers of a proof: 4,000 characters under the longest key. */
const MAX_JWT_CHARACTERS = 2 ** 14

/** @throws {MalformedInputError} if the form is wrong */
export function parseCommitmentMessage(text: string, bounds = WIDEST_BOUNDS): CommitmentMessage {
  return mapShapeErrors(MalformedInputError, () => {
    const body = readObject(readProofMessage(text, 'issuing', bounds), 'commitment message')
    return {
      n2: readNonce(body.n_2, 'n_2'),
      proofs: listProofs(body.combinedProofs, 'combinedProofs', bounds).map(readProof),
      indices: readIndices(body.indices),
      proofPJwts: readJwts(body.proofPJwts),
      proofPJwt: readString(body.proofPJwt, 'proofPJwt', MAX_JWT_CHARACTERS) || null,
      keys: readKeyBindingKeys(body.keybinding_pub_keys),
    }
  })
}

function readJwts(json: JsonValue | undefined): ReadonlyMap<string, string> {
  const members = Object.entries(readMap(json, 'proofPJwts'))
  return new Map(
    members.map(([scheme, jwt]) => [scheme, readString(jwt, 'proofPJwts: a JWT', MAX_JWT_CHARACTERS)]),
  )
}

/** The message as an app writes it. Members are in the order of the wire.
 *  @param message.n2 at most 256 bits */
export function commitmentMessage(message: {
  readonly n2: bigint
  readonly disclosures: readonly DisclosureProof[]
  readonly commitments: readonly CommitmentProof[]
  readonly indices: DisclosureIndices
  /** by scheme; empty: left out */
  readonly proofPJwts: ReadonlyMap<string, string>
  /** left out or empty: the app wants no SD-JWTs */
  readonly keys?: readonly PublicJwk[]
}): object {
  const { n2, disclosures, commitments, indices, proofPJwts, keys = [] } = message
  return {
    n_2: toBase64(n2),
    combinedProofs: [...disclosures.map(writeDisclosure), ...commitments.map(writeCommitment)],
    proofPJwts: proofPJwts.size === 0 ? undefined : proofPJwts,
    indices: indices.length === 0 ? undefined : indices,
    keybinding_pub_keys: keys.length === 0 ? undefined : keys,
  }
}
