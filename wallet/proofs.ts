/** From the user's choices to the proofs of any submission (spec 2.9 as decisions.md reads `indices`, cryptography 7). One proof per instance,
 *  in order of first use, however many outer items it answers; then one commitment per credential to be issued. @module */
import type { Arithmetic } from '../crypto/bignum/arithmetic.ts'
import { METADATA } from '../crypto/disclosure.ts'
import { draftProofs, type ProofDrafts } from '../crypto/proof-list.ts'
import type { IssuerPublicKey } from '../crypto/public-key.ts'
import type { RandomBytes } from '../crypto/random.ts'
import type { DisclosureIndex } from '../protocol/proofs-json.ts'
import type { NonRevocationRequest } from '../protocol/request-members.ts'
import { revocationIndexOf } from '../schemes/base-indices.ts'
import type { CredentialType } from '../schemes/types.ts'
import type { Candidate, RequestCandidates } from './candidates.ts'
import type { Credential } from './credential.ts'
import { SessionFailure } from './failure.ts'
import type { Offer } from './offers.ts'

/** Which candidate answers each outer item of a request: an index into `items[i].candidates`. */
export type Choices = readonly number[]

/** @throws {SessionFailure} `invalid-choice`, if a choice names no candidate, or there is not one per outer item */
export function chosenCandidates({ items }: RequestCandidates, choices: Choices): Candidate[] {
  if (choices.length !== items.length)
    throw invalid(`choices: expected ${items.length}, got ${choices.length}`)
  return items.map(({ candidates }, i) => {
    const candidate = candidates[choices[i] ?? -1]
    if (!candidate) throw invalid(`choice ${i}: expected one of ${candidates.length} candidates`)
    return candidate
  })
}

function invalid(message: string): SessionFailure {
  return new SessionFailure('invalid-choice', message)
}

/** Where each disclosed attribute stands, and what each instance discloses besides its metadata. */
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

/** The parts of a submission, before they are bound to a nonce. */
export type ProofRequest = {
  readonly chosen: readonly Candidate[]
  /** types of which what is chosen is also proved not to be revoked */
  readonly nonRevocation: readonly NonRevocationRequest[]
  /** empty: nothing is to be issued */
  readonly offers: readonly Offer[]
  readonly context: bigint
  readonly isSignature: boolean
}

/** What is disclosed from one instance, with A' of its proof: what a timestamp is made over. */
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
  /** What it responds with, once, holds secrets if there were offers. */
  readonly bind: ProofDrafts['bind']
}

/** @param wallet.secretKey secret
 *  @throws {RangeError} if a chosen instance is not among the credentials, or has no witness where one is needed */
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
      A: drafts.A[i] ?? 0n,
      disclosed: new Map(disclosed.map(index => [index, credential.attributes[index - METADATA] ?? 0n])),
    })),
    keys: {
      disclosures: disclosures.map(({ credential: { type, key } }) => ({ type, key })),
      commitments: offers.map(({ type, key }) => ({ type, key })),
    },
    bind: drafts.bind,
  }
}
