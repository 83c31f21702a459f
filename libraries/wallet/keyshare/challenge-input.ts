/** The wallet's input to the challenge, in the second version of the keyshare protocol (spec/keyshare-server#8.5). The wallet commits to it by a hash before it
 *  receives the commitment of the keyshare server. @module */
import { toBase64 } from '../../../crypto/bytes.ts'
import type { Contribution } from '../../../crypto/draft.ts'
import type { UserInput } from '../../../crypto/keyshare/user-input.ts'
import { issuerOf, type SchemeId, schemeOf } from '../../../protocol/ids.ts'
import { publicKeyIdText } from '../../../protocol/keyshare/public-key-ids.ts'
import type { TypeAndKey } from '../proofs.ts'
import type { Draft } from '../wallet.ts'

export function keyId({ type, key }: TypeAndKey): string {
  return publicKeyIdText({ issuer: issuerOf(type.id), counter: key.counter })
}

/** One entry per proof, in the order of the proofs.
 *  @param scheme of the keyshare server, which takes part in the proofs of this scheme alone
 *  @param Ps P by public key id, for each credential of the scheme to issue: the server gets U with P in it */
export function challengeInput(
  { keys, contributions }: Pick<Draft, 'keys' | 'contributions'>,
  scheme: SchemeId,
  Ps: ReadonlyMap<string, bigint>,
): UserInput[] {
  const entry = (of: TypeAndKey | undefined, [val, comm, ...otherComms]: Contribution, P = 1n): UserInput =>
    of && schemeOf(of.type.id) === scheme
      ? { key: nameOf(of), val: (val * P) % of.key.n, comm, otherComms }
      : { key: null, val, comm, otherComms }
  return [
    ...contributions.disclosures.map((each, i) => entry(keys.disclosures[i], each)),
    ...contributions.commitments.map((each, i) => {
      const of = keys.commitments[i]
      return entry(of, each, of && Ps.get(keyId(of)))
    }),
  ]
}

function nameOf({ type, key }: TypeAndKey): UserInput['key'] {
  return { issuer: issuerOf(type.id), counter: key.counter }
}

/** The body of `getResponse`.
 *  @param userResponse the wallet's own response for the secret key
 *  @param nonce of all proofs */
export function responseRequest(
  input: readonly UserInput[],
  userResponse: bigint,
  { draft, nonce }: { readonly draft: Pick<Draft, 'context' | 'isSignature'>; readonly nonce: bigint },
): object {
  return {
    context: toBase64(draft.context),
    nonce: toBase64(nonce),
    resp: toBase64(userResponse),
    sig: draft.isSignature,
    UserChallengeInput: input.map(({ key, val, comm, otherComms }) => ({
      key: key === null ? undefined : `${key.issuer}-${key.counter}`,
      val: toBase64(val),
      comm: toBase64(comm),
      otherComms: otherComms.length === 0 ? undefined : otherComms.map(toBase64),
    })),
  }
}
