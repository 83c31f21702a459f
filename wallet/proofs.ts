/** From the user's choices to the disclosure message (spec 2.9 as decisions.md reads `indices`, cryptography 7.2 and 7.3).
 *  One proof per instance, in order of first use, however many outer items it answers. @module */
import type { Arithmetic } from '../crypto/bignum/arithmetic.ts'
import { METADATA } from '../crypto/disclosure.ts'
import { draftProofs } from '../crypto/proof-list.ts'
import type { RandomBytes } from '../crypto/random.ts'
import { disclosureMessage } from '../protocol/disclosure-message.ts'
import { writeJson } from '../protocol/json.ts'
import type { DisclosureIndex } from '../protocol/proofs-json.ts'
import type { Candidate, RequestCandidates } from './candidates.ts'
import type { Credential } from './credential.ts'
import { SessionFailure } from './failure.ts'

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

/** @param input.credentials those of the wallet
 *  @param input.secretKey secret
 *  @param input.context from the session request, public; `nonce` likewise
 *  @returns the body of the proofs POST; it holds the disclosed values
 *  @throws {RangeError} if a chosen instance is not among the credentials */
export function createDisclosureMessage(
  arithmetic: Arithmetic,
  input: {
    readonly chosen: readonly Candidate[]
    readonly credentials: readonly Credential[]
    readonly secretKey: bigint
    readonly context: bigint
    readonly nonce: bigint
  },
  randomBytes: RandomBytes,
): string {
  const { secretKey, context, nonce } = input
  const { credentials: planned, indices } = planDisclosure(input.chosen)
  const disclosures = planned.map(({ id, disclosed }) => {
    const credential = input.credentials.find(one => one.id === id)
    if (!credential) throw new RangeError('disclosure: expected an instance of this wallet')
    return { credential, disclosed }
  })
  const drafts = draftProofs(
    arithmetic,
    { disclosures, commitments: [], secretKey, context, isSignature: false },
    randomBytes,
  )
  return writeJson(disclosureMessage(drafts.finish(nonce).disclosures, indices))
}
