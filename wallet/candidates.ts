/** Which attributes a wallet can answer a request with (spec 2.4, cryptography 12.4). @module */
import type { AttributeRequestId, CredentialTypeId } from '../protocol/ids.ts'

/** What candidates look at of a session request of any type. */
export type Disclosing = {
  readonly disclose: readonly (readonly (readonly {
    readonly type: AttributeRequestId
    readonly value: string | null
    readonly notNull: boolean
  }[])[])[]
  readonly skipExpiryCheck: readonly CredentialTypeId[]
}

export type CandidateAttribute = {
  readonly id: AttributeRequestId
  /** `CredentialView.id` of the instance it comes from */
  readonly credential: string
  /** base index in that credential; 1: the credential itself (a three-part id) */
  readonly index: number
  /** what the requestor will see; null: that the attribute is absent; `present` for the credential itself */
  readonly value: string | null
}

/** One way to answer an outer item: one of its inner conjunctions, from certain instances. */
export type Candidate = {
  /** which inner conjunction of the outer item, from 0 */
  readonly inner: number
  /** in the order of that inner conjunction; empty: disclose nothing */
  readonly attributes: readonly CandidateAttribute[]
}

export type ItemCandidates = {
  /** the inner conjunctions in the order of the request, each with the oldest instances first; empty: not satisfiable */
  readonly candidates: readonly Candidate[]
  /** true: one candidate discloses nothing */
  readonly isOptional: boolean
  /** when there is no candidate: per inner conjunction what the wallet lacks; never values */
  readonly missing: readonly (readonly AttributeRequestId[])[]
}

export type RequestCandidates = {
  /** one per outer item of `disclose` */
  readonly items: readonly ItemCandidates[]
  /** every outer item has a candidate */
  readonly isSatisfiable: boolean
}
