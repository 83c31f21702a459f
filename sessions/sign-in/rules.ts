/** The rules of sign-in: which attributes a claim is made of, which claims a scope asks for, who may ask, and how subjects are made. They are read from the
 *  settings (server/settings/oidc/), and are the same values for every login. @module */
import type { AttributeRequest } from '../../protocol/disjunction.ts'
import type { AttributeTypeId } from '../../protocol/ids.ts'

/** The formats of a date in an attribute. The claim always has the first one. */
export const DATE_FORMATS = ['yyyy-mm-dd', 'dd-mm-yyyy', 'dd/mm/yyyy', 'dd.mm.yyyy', 'yyyymmdd'] as const
export type DateFormat = (typeof DATE_FORMATS)[number]

/** How the text of an attribute becomes the value of a claim. `presence`: true for every text that is not
 *  empty. */
export type Conversion =
  | { readonly to: 'text' | 'number' | 'presence' }
  | { readonly to: 'date'; readonly formats: readonly DateFormat[] }
  | { readonly to: 'boolean'; readonly true: readonly string[]; readonly false: readonly string[] }

/** The value of a claim before its conversion: texts of attributes at these indices of the alternative, joined by the separator. */
export type TextParts = { readonly indices: readonly number[]; readonly separator: string }

/** One text, or an object with a text for each member, such as `address`. */
export type ClaimForm =
  | ({ readonly type: 'text' } & TextParts)
  | { readonly type: 'object'; readonly members: Readonly<Record<string, TextParts>> }

/** One way to give a claim: attributes of one credential. */
export type ClaimAlternative = {
  /** attributes that the claim is made of, and conditions; all of one credential type */
  readonly attributes: readonly AttributeRequest[]
  readonly form: ClaimForm
  readonly conversion: Conversion
  /** level of assurance (`acr`) of a login that used this alternative; null: none */
  readonly acr: string | null
  /** true: the wallet must prove that the credential is not revoked */
  readonly isNotRevoked: boolean
}

export type ClaimMapping = {
  readonly name: string
  /** in the order of preference, at least one */
  readonly alternatives: readonly ClaimAlternative[]
  /** A value that cannot be converted: `omit` leaves the claim out, `refuse` refuses the login. */
  readonly unconvertible: 'omit' | 'refuse'
}

/** Claims of one scope. A wallet must give the essential ones; the user may leave out a voluntary one. */
export type ScopeClaims = { readonly essential: readonly string[]; readonly voluntary: readonly string[] }

/** `attribute`: pairwise subjects, made of this attribute with the salt. `random`: another subject at each login. */
export type SubjectRule =
  | { readonly type: 'random' }
  | {
      readonly type: 'attribute'
      readonly attribute: AttributeTypeId
      /** secret; the same bytes on every node and for as long as subjects shall stay the same */
      readonly salt: Uint8Array
    }

/** The permissions of a client, and its sector. */
export type SignInClient = {
  readonly clientId: string
  /** without `openid` */
  readonly scopes: readonly string[]
  /** Patterns of attributes, as those of requestors; null: the attributes of its scopes. */
  readonly mayAsk: readonly string[] | null
  /** Clients of one sector get the same pairwise subject. */
  readonly sector: string
  /** true: another subject at each login, also if the provider has pairwise ones */
  readonly hasRandomSubject: boolean
}

export type SignInRules = {
  readonly claims: ReadonlyMap<string, ClaimMapping>
  readonly scopes: ReadonlyMap<string, ScopeClaims>
  readonly clients: ReadonlyMap<string, SignInClient>
  readonly subject: SubjectRule
  /** levels of assurance, the weakest first */
  readonly acrValues: readonly string[]
  /** true: logins have the claim `verified_claims` with facts about the credentials */
  readonly hasVerifiedClaims: boolean
}

/** The claims of `SignInRules` with facts about the credentials. */
export const VERIFIED_CLAIMS = 'verified_claims'

/** The refusal of a login. `error` is an error code of OAuth or OpenID Connect; the description holds no value of an attribute. */
export type LoginRefusal = {
  readonly type: 'refused'
  readonly error:
    | 'access_denied'
    | 'invalid_request'
    | 'invalid_scope'
    | 'unauthorized_client'
    | 'unmet_authentication_requirements'
    | 'server_error'
  readonly description: string
}

export function refusal(error: LoginRefusal['error'], description: string): LoginRefusal {
  return { type: 'refused', error, description }
}
