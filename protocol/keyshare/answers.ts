/** Answers of a keyshare server (spec/interface#2.12, spec/keyshare-server#6 to #10). Members are in the order of the wire. Integers are written as Base64
 *  (spec/decisions#k5), and names of public keys in ascending order. @module */
import { toBase64 } from '../../crypto/bytes.ts'
import type { KeyshareProof } from '../../crypto/keyshare/merge.ts'
import { writeBytes } from '../base64.ts'
import { readBigInteger } from '../big-integers.ts'
import type { JsonValue } from '../json.ts'
import { isGiven, readObject } from '../shape.ts'
import { type PublicKeyId, publicKeyIdText } from './public-key-ids.ts'

/** The spelling of a path: `/user/...` as in the interface specification, or `/users/...` as in existing apps (spec/decisions#k1). */
export type PathSpelling = 'singular' | 'plural'

/** The reason for refusing a PIN: it was wrong, or it was not compared. */
export type PinRefusal =
  | { readonly status: 'failure'; readonly triesLeft: number }
  /** No try is left for this many seconds. It is at least 1, because an app takes 0 for a wrong PIN. */
  | { readonly status: 'error'; readonly waitSec: number }

/** @param challenge 32 bytes */
export function loginChallenge(challenge: Uint8Array): object {
  return { candidates: ['pin_challengeresponse'], challenge: writeBytes(challenge, 'base64') }
}

/** @param authenticationJwt secret */
export function loginSucceeded(authenticationJwt: string, spelling: PathSpelling): object {
  return { status: spelling === 'singular' ? 'succes' : 'success', message: authenticationJwt }
}

/** The answer to a change of PIN. It says `success` on every path, unlike the answer to a login (spec/interface#5.4.3, spec/decisions#k2, #k4). */
export function pinChanged(spelling: PathSpelling): object {
  return spelling === 'singular' ? { status: 'success' } : { status: 'success', message: '' }
}

/** The body of a refusal. Its HTTP status is 200, on every path. */
export function pinRefused(refusal: PinRefusal): object {
  const { status } = refusal
  const number = refusal.status === 'failure' ? refusal.triesLeft : refusal.waitSec
  return { status, message: String(number) }
}

export type KeyCommitment = { readonly key: PublicKeyId; readonly P: bigint; readonly Pcommit: bigint }

/** Answer to `getCommitments` in the first version. A key that occurs twice is written once. */
export function commitments(list: readonly KeyCommitment[]): object {
  return { c: byKey(list, ({ P, Pcommit }) => ({ P: toBase64(P), Pcommit: toBase64(Pcommit) })) }
}

/** Answer to `getCommitments` in the second version, without P. */
export function hashedCommitments(list: readonly Omit<KeyCommitment, 'P'>[]): object {
  return { c: byKey(list, ({ Pcommit }) => toBase64(Pcommit)) }
}

/** Answer to `getPs`. */
export function publicParts(list: readonly Omit<KeyCommitment, 'Pcommit'>[]): object {
  return { ps: byKey(list, ({ P }) => toBase64(P)) }
}

function byKey<Item extends { readonly key: PublicKeyId }>(
  list: readonly Item[],
  write: (item: Item) => unknown,
): ReadonlyMap<string, unknown> {
  return new Map(list.map(item => [publicKeyIdText(item.key), write(item)]))
}

/** The claim `ProofP`. `P` is left out if the response covers both halves of the secret key. */
export function proofPClaim({ P, c, sResponse }: KeyshareProof): object {
  return { P: P === null ? undefined : toBase64(P), c: toBase64(c), s_response: toBase64(sResponse) }
}

/** @throws {ShapeError} */
export function readProofP(json: JsonValue | undefined): KeyshareProof {
  const { P, c, s_response } = readObject(json, 'ProofP')
  return {
    P: isGiven(P) ? readBigInteger(P, 'ProofP.P') : null,
    c: readBigInteger(c, 'ProofP.c'),
    sResponse: readBigInteger(s_response, 'ProofP.s_response'),
  }
}
