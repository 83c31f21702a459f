/** Compares the disclosed attributes with the request (spec/interface#2.4 and #2.9, spec/cryptography#12.4). Only for proofs that were verified. @module */

import type { AttributeRequest, Disjunction, InnerConjunction } from '../protocol/disjunction.ts'
import { ExceptionError } from '../protocol/errors.ts'
import { type CredentialTypeId, credentialTypeOf } from '../protocol/ids.ts'
import type { DisclosureIndex, DisclosureIndices } from '../protocol/proofs-json.ts'
import {
  type DisclosedAttribute,
  disclosedAttribute,
  disclosedIndices,
  type KnownProof,
  type ReadAttribute,
  readAttribute,
} from './disclosed.ts'

export type Match = {
  /** true: every outer item of the request is satisfied */
  readonly isComplete: boolean
  /** by outer item, null: not satisfied; then one more list if attributes were disclosed that no index points to */
  readonly disclosed: readonly (readonly DisclosedAttribute[] | null)[]
}

/** True if each index names one of the proofs.
 *  @throws {ExceptionError} for an index above the number of proofs; the number itself gives false, as recorded */
export function pointsToProofs(indices: DisclosureIndices, proofCount: number): boolean {
  const highest = indices.flat().reduce((most, { cred }) => Math.max(most, cred), -1)
  if (highest > proofCount)
    throw new ExceptionError(
      `Credential index out of range: expected one below ${proofCount}, got ${highest}`,
    )
  return highest < proofCount
}

/** @param indices each names one of the proofs */
export function matchProofs(
  disclose: readonly Disjunction[],
  indices: DisclosureIndices,
  proofs: readonly KnownProof[],
): Match {
  const hasAllItems = indices.length >= disclose.length
  const disclosed = hasAllItems
    ? disclose.map((disjunction, i) => matchDisjunction(disjunction, indices[i] ?? [], proofs))
    : []
  const extra = extraAttributes(indices.slice(0, disclose.length), proofs)
  return {
    isComplete: hasAllItems && !disclosed.includes(null),
    disclosed: extra.length === 0 ? disclosed : [...disclosed, extra],
  }
}

/** The first satisfied inner conjunction wins, because the app does not send the choice of the user. */
function matchDisjunction(
  disjunction: Disjunction,
  indices: readonly DisclosureIndex[],
  proofs: readonly KnownProof[],
): DisclosedAttribute[] | null {
  for (const inner of disjunction) {
    const attributes = matchInner(inner, indices, proofs)
    if (attributes !== null) return attributes.map(attribute => disclosedAttribute(attribute, false))
  }
  return null
}

/** An empty inner conjunction is satisfied only without indices. Other conjunctions ignore surplus indices. */
function matchInner(
  inner: InnerConjunction,
  indices: readonly DisclosureIndex[],
  proofs: readonly KnownProof[],
): ReadAttribute[] | null {
  if (inner.length === 0 ? indices.length > 0 : indices.length < inner.length) return null
  const attributes: ReadAttribute[] = []
  const instances = new Map<CredentialTypeId, number>()
  for (const [j, request] of inner.entries()) {
    const { cred = -1, attr = -1 } = indices[j] ?? {}
    const proof = proofs[cred]
    const attribute = proof === undefined ? null : readAttribute(proof, attr)
    if (attribute === null || !satisfies(attribute, request)) return null
    const owner = credentialTypeOf(request.type)
    if ((instances.get(owner) ?? cred) !== cred) return null // rule 3 of spec/interface#2.4: all from the same instance
    instances.set(owner, cred)
    attributes.push(attribute)
  }
  return attributes
}

/** Compares values as bytes, so that a text that is not UTF-8 never equals another text. */
function satisfies({ id, bytes }: ReadAttribute, { type, value, notNull }: AttributeRequest): boolean {
  if (id !== type || (notNull && bytes === null)) return false
  return value === null || (bytes !== null && Buffer.from(value, 'utf8').equals(bytes))
}

function extraAttributes(indices: DisclosureIndices, proofs: readonly KnownProof[]): DisclosedAttribute[] {
  const pointedTo = new Set(indices.flat().map(({ cred, attr }) => `${cred}/${attr}`))
  return proofs.flatMap((proof, cred) =>
    disclosedIndices(proof)
      .filter(attr => !pointedTo.has(`${cred}/${attr}`))
      .map(attr => readAttribute(proof, attr))
      .filter(attribute => attribute !== null)
      .map(attribute => disclosedAttribute(attribute, true)),
  )
}
