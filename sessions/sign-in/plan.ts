/** The plan of a login: the requested attributes, each with its purpose. It is made with the request and is stored as JSON beside the session. The result is read
 *  by this plan, so a change of the settings has no effect on a login that has begun. @module */
import type { AttributeRequest } from '../../protocol/disjunction.ts'
import type { AskedValue } from './asked-claims.ts'
import type { ClaimForm, ClaimMapping, Conversion } from './rules.ts'

/** A claim that an alternative gives. */
export type PlannedClaim = Pick<ClaimMapping, 'name' | 'unconvertible'> & {
  /** its indices refer to `attributes` of the planned alternative */
  readonly form: ClaimForm
  readonly conversion: Conversion
  /** values that the client asked for; null: any */
  readonly values: readonly AskedValue[] | null
}

export type PlannedAlternative = {
  /** as in the request; empty: the user leaves the item out */
  readonly attributes: readonly AttributeRequest[]
  readonly claims: readonly PlannedClaim[]
  readonly acrs: readonly string[]
  /** index of the attribute of which the subject is made; null: not in this alternative */
  readonly subject: number | null
}

/** One outer item of the request, with its inner conjunctions in their order. */
export type PlannedItem = { readonly alternatives: readonly PlannedAlternative[] }

export type LoginPlan = {
  readonly clientId: string
  readonly items: readonly PlannedItem[]
  /** levels of assurance that the client prefers, in its order */
  readonly preferredAcrs: readonly string[]
  /** all levels, the weakest first */
  readonly acrValues: readonly string[]
  /** true: the subject is made of an attribute of the result */
  readonly hasSubject: boolean
  readonly hasVerifiedClaims: boolean
}
