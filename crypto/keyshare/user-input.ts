/** A wallet app's input to a challenge, in the second version of the keyshare protocol (spec/keyshare-server#8.5). The app commits to it by a hash before
 *  it receives Pcommit. The keyshare server calculates the challenge itself. @module */
import { createHash } from 'node:crypto'
import type { Arithmetic } from '../bignum/arithmetic.ts'
import { bytesOf, isSameBytes } from '../bytes.ts'
import { writeCbor } from '../cbor.ts'
import { hashCommit } from '../challenge.ts'
import type { IssuerPublicKey } from '../public-key.ts'
import { powerOfSecret } from './secrets.ts'

/** `<scheme>.<issuer>` and the counter of its key. */
export type IssuerKeyName = { readonly issuer: string; readonly counter: number }

/** The input of one proof; integers >= 0. */
export type UserInput = {
  /** null: the keyshare server takes no part in this proof */
  readonly key: IssuerKeyName | null
  /** A' of a disclosure, or U including P */
  readonly val: bigint
  /** the user's own commitment */
  readonly comm: bigint
  /** further commitments, for instance of a proof of non-revocation */
  readonly otherComms: readonly bigint[]
}

/** One entry per proof, in the order of the proofs. Null if the message had no such member: null has its own hash. */
export type UserChallengeInput = readonly UserInput[] | null

/** `hashedComms`: 32 bytes. */
export function hashUserInput(input: UserChallengeInput): Uint8Array {
  return createHash('sha256')
    .update(writeCbor(input?.map(cborOf) ?? null))
    .digest()
}

function cborOf({ key, val, comm, otherComms }: UserInput) {
  return {
    key: key === null ? undefined : { issuer: key.issuer, counter: key.counter },
    val: bytesOf(val),
    comm: bytesOf(comm),
    otherComms: otherComms.length === 0 ? undefined : otherComms.map(bytesOf),
  }
}

/** True if the app committed to this input; in constant time. */
export function isCommittedInput(input: UserChallengeInput, hashedComms: Uint8Array): boolean {
  return isSameBytes(hashUserInput(input), hashedComms)
}

export type ChallengeFacts = {
  readonly input: UserChallengeInput
  readonly context: bigint
  readonly nonce: bigint
  readonly isSignature: boolean
}

/** The challenge over all contributions. Under a key, the commitment of a proof is comm * R_0^w_k mod n.
 *  @param wk secret
 *  @param keyOf returns a key of the input; throws for an unknown key
 *  @returns an integer of at most 256 bits
 *  @throws {RangeError} if a number is negative */
export function challengeOf(
  { input, context, nonce, isSignature }: ChallengeFacts,
  wk: bigint,
  keyOf: (name: IssuerKeyName) => Pick<IssuerPublicKey, 'n' | 'R'>,
  arithmetic: Pick<Arithmetic, 'secretPower'>,
): bigint {
  const powers = new Map<bigint, bigint>() // by modulus: proofs under the same key share the costly power
  const joined = (key: IssuerKeyName | null, comm: bigint): bigint => {
    if (key === null) return comm
    const publicKey = keyOf(key)
    const Pcommit = powers.get(publicKey.n) ?? powerOfSecret(publicKey, wk, arithmetic)
    powers.set(publicKey.n, Pcommit)
    return (comm * Pcommit) % publicKey.n
  }
  const contributions = (input ?? []).flatMap(({ key, val, comm, otherComms }) => [
    val,
    joined(key, comm),
    ...otherComms,
  ])
  return hashCommit([context, ...contributions, nonce], isSignature)
}
