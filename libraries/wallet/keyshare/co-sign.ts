/** Proofs together with the halves of keyshare servers (spec/interface#4.6, spec/keyshare-server#8, #17.3). The second version of their protocol is used if one
 *  keyshare server takes part, and has it (spec/decisions#keyshare_v1). @module */
import { type DisclosureProof, SECRET_KEY } from '../../../crypto/disclosure.ts'
import { joinToCommitment } from '../../../crypto/keyshare/join.ts'
import { mergeIntoDisclosure } from '../../../crypto/keyshare/merge.ts'
import type { KeyshareParts } from '../../../crypto/proof-list.ts'
import { type SchemeId, schemeOf } from '../../../protocol/ids.ts'
import type { TypeAndKey } from '../proofs.ts'
import type { Draft, FinishedProofs } from '../wallet.ts'
import { malformed } from './answers.ts'
import { challengeInput, keyId, responseRequest } from './challenge-input.ts'
import { type AskPin, inRounds, type KeyshareServer } from './login.ts'
import { type Answer, type Signer, signerOf } from './signer.ts'

/** A draft and the nonce of its proofs. */
export type Drafted = { readonly draft: Draft; readonly nonce: bigint }

export type CoSignedProofs<From extends Drafted = Drafted> = {
  readonly finished: FinishedProofs
  /** the disclosure proofs to send */
  readonly disclosures: readonly DisclosureProof[]
  /** by scheme; only for an issuance */
  readonly proofPJwts: ReadonlyMap<string, string>
  /** the draft that was finished */
  readonly drafted: From
}

/** @param prepare makes the draft of a round. A repeated round needs a new one: in the second version the wallet sends its response before it knows whether the
 *    round succeeds, and a draft may respond only once
 *  @param serversOf returns the keyshare servers of the schemes of these proofs
 *  @throws {SessionError} {CancelledError} */
export async function coSign<From extends Drafted>(
  prepare: () => Promise<From>,
  serversOf: (draft: Draft) => readonly KeyshareServer[],
  askPin: AskPin,
): Promise<CoSignedProofs<From>> {
  const first = await prepare()
  const signers: Signer[] = []
  for (const server of serversOf(first.draft)) signers.push(await signerOf(server, first.draft.keys, askPin))
  const [only] = signers
  let hasSecondVersion = signers.length === 1
  let next: From | null = first
  return inRounds(async () => {
    const drafted = next ?? (await prepare())
    next = null
    const signed = only && hasSecondVersion ? await signTogether(drafted, only) : null
    hasSecondVersion = signed !== null
    return { ...(signed ?? (await signApart(drafted, signers))), drafted }
  })
}

type Signed = Omit<CoSignedProofs, 'drafted'>
type Part = { readonly signer: Signer; readonly Pcommits: ReadonlyMap<string, bigint> }

/** The second version: the server calculates the challenge over the input that the wallet committed to, and signs the response of both halves. Each keyshare
 *  server would need the commitments of the others in its input, so there can be only one.
 *  @returns null: the server does not have this version, and the draft is not used up */
async function signTogether({ draft, nonce }: Drafted, signer: Signer): Promise<Signed | null> {
  const input = challengeInput(draft, signer.id, signer.Ps)
  const Pcommits = await signer.commitTo(input)
  if (Pcommits === null) return null
  const { challenge, respond } = draft.bind(nonce, partsOf(draft, [{ signer, Pcommits }]))
  const finished = respond()
  const request = responseRequest(input, secretResponse(finished), { draft, nonce })
  const answers = new Map([[signer.id, await signer.respondTo(request, challenge)]])
  return finish(withP(finished, draft, signer), draft, answers)
}

/** The first version: each server answers the challenge of the wallet with its own half. */
async function signApart({ draft, nonce }: Drafted, signers: readonly Signer[]): Promise<Signed> {
  const parts: Part[] = []
  for (const signer of signers) parts.push({ signer, Pcommits: await signer.commit() })
  const { challenge, respond } = draft.bind(nonce, partsOf(draft, parts))
  const answers = new Map<SchemeId, Answer>()
  for (const signer of signers) answers.set(signer.id, await signer.respond(challenge))
  return finish(respond(), draft, answers)
}

/** The wallet's response for the secret key, which is the same in all of its proofs. */
function secretResponse({ disclosures: [shown], commitments: [committed] }: FinishedProofs): bigint {
  const response = shown?.aResponses.get(SECRET_KEY) ?? committed?.sResponse
  if (response === undefined) throw new RangeError('proofs: expected at least one, got none')
  return response
}

/** Multiplies P into U, because in the second version the issuer gets no P of its own. */
function withP(finished: FinishedProofs, { keys }: Draft, { Ps }: Signer): FinishedProofs {
  const commitments = finished.commitments.map((proof, i) => {
    const of = keys.commitments[i]
    const P = of && Ps.get(keyId(of))
    if (P === undefined) return proof
    const [U] = joinToCommitment([proof.U, 1n], { P, Pcommit: 1n }, of?.key.n ?? 1n)
    return { ...proof, U }
  })
  return { ...finished, commitments }
}

/** @throws {SessionError} if a number is missing, or not between 0 and the modulus of its key */
function partsOf({ keys }: Draft, parts: readonly Part[]): KeyshareParts {
  const partOf = (of: TypeAndKey): Part | undefined =>
    parts.find(({ signer }) => signer.id === schemeOf(of.type.id))
  const checked = (number: bigint | undefined, of: TypeAndKey): bigint => {
    if (number === undefined || number <= 0n || number >= of.key.n)
      throw malformed(`expected commitments for ${keyId(of)}`)
    return number
  }
  const Pcommit = ({ Pcommits }: Part, of: TypeAndKey): bigint => checked(Pcommits.get(keyId(of)), of)
  return {
    disclosures: keys.disclosures.map(of => {
      const part = partOf(of)
      return part ? { Pcommit: Pcommit(part, of) } : null
    }),
    commitments: keys.commitments.map(of => {
      const part = partOf(of)
      return part ? { P: checked(part.signer.Ps.get(keyId(of)), of), Pcommit: Pcommit(part, of) } : null
    }),
  }
}

/** In an issuance, the issuer combines both halves itself and gets the server's JWT. A verifier gets the merged proofs. */
function finish(finished: FinishedProofs, { keys }: Draft, answers: ReadonlyMap<SchemeId, Answer>): Signed {
  if (keys.commitments.length > 0) {
    const proofPJwts = new Map([...answers].map(([scheme, { jwt }]) => [scheme, jwt]))
    return { finished, disclosures: finished.disclosures, proofPJwts }
  }
  const disclosures = finished.disclosures.map((proof, i) => {
    const type = keys.disclosures[i]?.type
    const answer = type && answers.get(schemeOf(type.id))
    return answer ? mergeIntoDisclosure(proof, answer.proof) : proof
  })
  return { finished, disclosures, proofPJwts: new Map() }
}
