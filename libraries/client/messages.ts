/** The requests of a web site (spec/interface#2.3 to #2.6), as types. They import nothing, so that a site needs no other package for them. `test/client/types.test.ts`
 *  compares them with the schemas of the server. A member that is `null` counts as left out. @module */

/** `<scheme>.<issuer>.<credential>` */
export type CredentialTypeId = `${string}.${string}.${string}`
/** `<scheme>.<issuer>.<credential>.<attribute>`; with three parts the credential itself */
export type AttributeId = CredentialTypeId | `${string}.${string}.${string}.${string}`

/** An attribute, and which of its values are accepted. */
export type AttributeRequest =
  | AttributeId
  | {
      readonly type: AttributeId
      /** the only value that is accepted */
      readonly value?: string | null | undefined
      /** true: the attribute must have a value */
      readonly notNull?: boolean | null | undefined
    }
/** All of these attributes; an empty list makes its disjunction optional. */
export type Conjunction = readonly AttributeRequest[] | null
/** One of these conjunctions. */
export type Disjunction = readonly Conjunction[]

/** Values by language. */
type Texts = { readonly [language: string]: string | null }

type Common = {
  /** not read */
  readonly context?: unknown
  /** not read */
  readonly nonce?: unknown
  /** not read */
  readonly protocolVersion?: unknown
  /** not read */
  readonly devMode?: unknown
  /** types of which expired credentials are accepted */
  readonly skipExpiryCheck?: readonly CredentialTypeId[] | null | undefined
  /** types of which credentials must be proved not to be revoked; the tolerance is in seconds */
  readonly revocation?:
    | readonly CredentialTypeId[]
    | {
        readonly [type: CredentialTypeId]: { readonly tolerance?: number | null | undefined } | null
      }
    | null
    | undefined
  /** address that the wallet app opens at the end */
  readonly clientReturnUrl?: string | null | undefined
  /** true: the token is added to `clientReturnUrl` */
  readonly augmentReturnUrl?: boolean | null | undefined
  /** host that the wallet app must use */
  readonly host?: string | null | undefined
}

type Modern = Common & {
  /** texts for a disjunction, by its index in `disclose`, then by language */
  readonly labels?: { readonly [index: string]: Texts | null } | null | undefined
}

/** Asks for attributes. */
export type DisclosureRequest = Modern & {
  readonly '@context': `${string}/ld/request/disclosure/v2`
  /** each of these disjunctions */
  readonly disclose: readonly [Disjunction, ...Disjunction[]]
}

/** Asks for a signed message. */
export type SignatureRequest = Modern & {
  readonly '@context': `${string}/ld/request/signature/v2`
  /** the text that is signed; not empty */
  readonly message: string
  /** attributes that are signed with the message */
  readonly disclose?: readonly Disjunction[] | null | undefined
}

/** A credential to issue. */
export type CredentialRequest = {
  readonly credential: CredentialTypeId
  /** time of its expiry, Unix seconds */
  readonly validity?: number | null | undefined
  /** values by the name of the attribute */
  readonly attributes?: Texts | null | undefined
  /** the name by which it can be revoked */
  readonly revocationKey?: string | null | undefined
  readonly keyCounter?: number | null | undefined
  readonly randomblindIDs?: readonly (string | null)[] | null | undefined
  /** number of SD-JWTs that the wallet app gets beside the credential */
  readonly sdJwtBatchSize?: number | null | undefined
}

type Issued = readonly [CredentialRequest, ...CredentialRequest[]]

/** Issues credentials. */
export type IssuanceRequest = Modern & {
  readonly '@context': `${string}/ld/request/issuance/v2`
  readonly credentials: Issued
  /** attributes that are disclosed before */
  readonly disclose?: readonly Disjunction[] | null | undefined
}

/** One of these attributes; a map gives the only value that is accepted. */
export type LegacyItem = {
  readonly label?: string | null | undefined
  readonly attributes: readonly AttributeId[] | { readonly [id: AttributeId]: string | null }
}

type Legacy = Common & { readonly '@context'?: '' | null | undefined }

/** A request in the form without conjunctions. */
export type LegacyRequest =
  | (Legacy & { readonly type: 'disclosing'; readonly content: readonly [LegacyItem, ...LegacyItem[]] })
  | (Legacy & {
      readonly type: 'signing'
      readonly message: string
      readonly content?: readonly LegacyItem[] | null | undefined
    })
  | (Legacy & {
      readonly type: 'issuing'
      readonly credentials: Issued
      readonly disclose?: readonly LegacyItem[] | null | undefined
    })

/** A request with options for its session. */
export type ExtendedRequest = {
  readonly request: DisclosureRequest | SignatureRequest | IssuanceRequest | LegacyRequest
  readonly '@context'?: '' | null | undefined
  /** validity of the result JWT, seconds */
  readonly validity?: number | null | undefined
  /** maximum duration of the session, seconds */
  readonly timeout?: number | null | undefined
  /** address to which the result is posted */
  readonly callbackUrl?: string | null | undefined
  /** address that is asked for the next session of a chain */
  readonly nextSession?: { readonly url?: string | null | undefined } | null | undefined
}

/** The body of `POST /session`. */
export type SessionRequest =
  | DisclosureRequest
  | SignatureRequest
  | IssuanceRequest
  | ExtendedRequest
  | LegacyRequest

/** A request to revoke credentials. */
export type RevocationRequest = {
  readonly '@context': `${string}/ld/request/revocation/v1`
  readonly type: CredentialTypeId
  /** the name that the issuer gave */
  readonly revocationKey?: string | null | undefined
  /** time of its issuance, Unix nanoseconds; left out or 0: any */
  readonly issued?: number | null | undefined
}

/** The members that a request of the type `R` may have. */
type MembersOf<R, M = SessionRequest> = M extends unknown ? (R extends M ? keyof M : never) : never

/** Refuses members that the server does not know, although the type of the request is inferred. */
export type Exactly<R extends SessionRequest> = R & {
  readonly [Name in Exclude<keyof R, MembersOf<R>>]: never
}
