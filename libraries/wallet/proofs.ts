/** Creates the proofs of a submission from the user's choices (spec/interface#2.9, spec/decisions#indices, spec/cryptography#7). There is one proof per instance, in
 *  order of first use, even if it answers several outer items. Then there is one commitment per offered credential. @module */
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { METADATA } from '../../crypto/disclosure.ts'
import { draftProofs, type ProofDrafts } from '../../crypto/proof-list.ts'
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import type { RandomBytes } from '../../crypto/random.ts'
import type { DisclosureIndex } from '../../protocol/proofs-json.ts'
import type { NonRevocationRequest } from '../../protocol/request-members.ts'
import { revocationIndexOf } from '../../schemes/base-indices.ts'
import type { CredentialType } from '../../schemes/types.ts'
import type { Candidate, RequestCandidates } from './candidates.ts'
import type { Credential } from './credential.ts'
import { SessionError } from './failure.ts'
import type { Offer } from './offers.ts'

/** The chosen candidate of each outer item, as an index into `items[i].candidates`. */
export type Choices = readonly number[]

/** @throws {SessionError} `invalid-choice`, if a choice is out of range, or their number differs from that of the outer items */
export function chosenCandidates({ items }: RequestCandidates, choices: Choices): Candidate[] {
  if (choices.length !== items.length)
    throw invalid(`choices: expected ${items.length}, got ${choices.length}`)
  return items.map(({ candidates }, i) => {
    const candidate = candidates[choices[i] ?? -1]
    if (!candidate) throw invalid(`choice ${i}: expected one of ${candidates.length} candidates`)
    return candidate
  })
}

function invalid(message: string): SessionError {
  return new SessionError('invalid-choice', message)
}

/** The position of each disclosed attribute, and the attributes that each instance discloses besides its metadata. */
type DisclosurePlan = {
  /** ids of instances, in order of first use */
  readonly credentials: readonly { readonly id: string; readonly disclosed: readonly number[] }[]
  readonly indices: readonly (readonly DisclosureIndex[])[]
}

function planDisclosure(chosen: readonly Candidate[]): DisclosurePlan {
  const disclosed = new Map<string, Set<number>>()
  for (const { credential, index } of chosen.flatMap(candidate => candidate.attributes)) {
    const known = disclosed.get(credential) ?? new Set([METADATA])
    disclosed.set(credential, known.add(index))
  }
  const order = [...disclosed.keys()]
  return {
    credentials: order.map(id => ({ id, disclosed: [...(disclosed.get(id) ?? [])].sort((a, b) => a - b) })),
    indices: chosen.map(({ attributes }) =>
      attributes.map(({ credential, index }) => ({ cred: order.indexOf(credential), attr: index })),
    ),
  }
}

/** The content of a submission, not yet bound to a nonce. */
export type ProofRequest = {
  readonly chosen: readonly Candidate[]
  /** types whose chosen instances are also proved unrevoked */
  readonly nonRevocation: readonly NonRevocationRequest[]
  /** empty: nothing is issued */
  readonly offers: readonly Offer[]
  readonly context: bigint
  readonly isSignature: boolean
}

/** The disclosed attributes of one instance, and A' of its proof: input of a timestamp. */
export type StampedProof = {
  readonly type: CredentialType
  readonly key: IssuerPublicKey
  readonly A: bigint
  readonly disclosed: ReadonlyMap<number, bigint>
}

/** The credential type and the key of each proof. */
export type ProofKeys = {
  readonly disclosures: readonly TypeAndKey[]
  readonly commitments: readonly TypeAndKey[]
}
export type TypeAndKey = { readonly type: CredentialType; readonly key: IssuerPublicKey }

export type DraftedProofs = {
  readonly indices: DisclosurePlan['indices']
  readonly stamped: readonly StampedProof[]
  readonly keys: ProofKeys
  readonly contributions: ProofDrafts['contributions']
  /** Its result contains secrets if there were offers. It responds only once. */
  readonly bind: ProofDrafts['bind']
}

/** @param wallet.secretKey secret
 *  @throws {RangeError} if a chosen instance is missing from the credentials, or lacks a required witness */
export function draftAnswer(
  arithmetic: Arithmetic,
  { chosen, nonRevocation, offers, context, isSignature }: ProofRequest,
  wallet: { readonly credentials: readonly Credential[]; readonly secretKey: bigint },
  randomBytes: RandomBytes,
): DraftedProofs {
  const plan = planDisclosure(chosen)
  const disclosures = plan.credentials.map(({ id, disclosed }) => {
    const credential = wallet.credentials.find(one => one.id === id)
    if (!credential) throw new RangeError('disclosure: expected an instance of this wallet')
    if (!nonRevocation.some(({ credential: type }) => type === credential.type.id))
      return { credential, disclosed }
    const { revocation, type } = credential
    const index = revocationIndexOf(type)
    if (!revocation || revocation.isRevoked || index === null)
      throw new RangeError('disclosure: expected a witness that the instance is not revoked')
    return { credential, disclosed, nonRevocation: { witness: revocation.witness, index } }
  })
  const { secretKey } = wallet
  const commitments = offers.map(({ key, randomBlind }) => ({ key, randomBlind }))
  const drafts = draftProofs(
    arithmetic,
    { disclosures, commitments, secretKey, context, isSignature },
    randomBytes,
  )
  return {
    indices: plan.indices,
    stamped: disclosures.map(({ credential, disclosed }, i) => ({
      type: credential.type,
      key: credential.key,
      A: drafts.contributions.disclosures[i]?.[0] ?? 0n, // a timestamp covers it
      disclosed: new Map(disclosed.map(index => [index, credential.attributes[index - METADATA] ?? 0n])),
    })),
    keys: {
      disclosures: disclosures.map(({ credential: { type, key } }) => ({ type, key })),
      commitments: offers.map(({ type, key }) => ({ type, key })),
    },
    contributions: drafts.contributions,
    bind: drafts.bind,
  }
}
