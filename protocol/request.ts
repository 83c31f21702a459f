/** Session requests (spec 2.3 to 2.6): the three types as this service carries them, whatever form they came in, and how they are stored.
 *  Neutral to the profile. @module */
import type { AttributeRequestId, CredentialTypeId } from './ids.ts'

export type SessionType = 'disclosing' | 'signing' | 'issuing'

export type AttributeRequest = {
  readonly type: AttributeRequestId
  /** null: any value */
  readonly value: string | null
  readonly notNull: boolean
}

export type InnerConjunction = readonly AttributeRequest[]
export type Disjunction = readonly InnerConjunction[]

/** By index in the outer list of `disclose`, as decimal text; then by language code. */
export type Labels = Readonly<Record<string, Readonly<Record<string, string>> | null>>

/** A type of which instances must be proved not revoked at most `toleranceSec` ago. */
export type NonRevocationRequest = { readonly credential: CredentialTypeId; readonly toleranceSec: number }

type AnyRequest = {
  readonly disclose: readonly Disjunction[]
  readonly labels: Labels
  /** types of which expired instances are accepted; not checked against the schemes */
  readonly skipExpiryCheck: readonly CredentialTypeId[]
  readonly nonRevocation: readonly NonRevocationRequest[]
  /** empty: none */
  readonly clientReturnUrl: string
  readonly augmentReturnUrl: boolean
  /** host and port that the wallet app must use; empty: those of the server's URL */
  readonly host: string
}

export type DisclosureRequest = AnyRequest & { readonly type: 'disclosing' }
/** `disclose` may be empty (D6). */
export type SignatureRequest = AnyRequest & { readonly type: 'signing'; readonly message: string }
export type IssuanceRequest = AnyRequest & {
  readonly type: 'issuing'
  readonly credentials: readonly CredentialRequest[]
}
export type SessionRequest = DisclosureRequest | SignatureRequest | IssuanceRequest

export type CredentialRequest = {
  readonly credential: CredentialTypeId
  /** as requested, not yet rounded; null: the default */
  readonly validityAtSec: number | null
  /** by attribute name; an attribute that is left out is issued as absent */
  readonly attributes: Readonly<Record<string, string>>
  /** empty: none; never delivered to the app */
  readonly revocationKey: string
}

export type ExtendedRequest = {
  readonly request: SessionRequest
  /** of the result JWT */
  readonly validitySec: number
  /** 0: the default of the server */
  readonly timeoutSec: number
  /** empty: no callback */
  readonly callbackUrl: string
  readonly nextSession: { readonly url: string } | null
  /** came in the form before conjunctions */
  readonly isLegacy: boolean
}

/** The text of the column `request`. */
export function storeRequest(request: ExtendedRequest): string {
  return JSON.stringify(request)
}

/** @param text what `storeRequest` wrote */
export function restoreRequest(text: string): ExtendedRequest {
  return JSON.parse(text) // this program's own writing, checked when it was parsed
}

/** Every attribute request, in order. */
export function attributeRequests(request: SessionRequest): AttributeRequest[] {
  return request.disclose.flat(2)
}
