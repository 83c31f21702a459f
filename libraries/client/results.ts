/** The answers of a session server (spec/interface#2.2 and #2.8), as types that follow the request. `test/client/types.test.ts` compares them with the schemas of
 *  the server. @module */
import type { AttributeId, AttributeRequest, Disjunction, LegacyItem, SessionRequest } from './messages.ts'

export type SessionStatus = 'INITIALIZED' | 'PAIRING' | 'CONNECTED' | 'DONE' | 'CANCELLED' | 'TIMEOUT'
export type ProofStatus =
  | 'VALID'
  | 'INVALID'
  | 'INVALID_TIMESTAMP'
  | 'UNMATCHED_REQUEST'
  | 'MISSING_ATTRIBUTES'
  | 'EXPIRED'
type SessionType = 'disclosing' | 'signing' | 'issuing'

/** Carries the type of a request. It is a type only: no value has this member. */
declare const asked: unique symbol

/** The token of a session whose request has the type `R`. It is a plain string, and secret. */
export type SessionToken<R extends SessionRequest = SessionRequest> = string & { readonly [asked]?: R }

export type SessionPointer = {
  readonly u: string
  readonly svcqr?: SessionType
  readonly irmaqr?: SessionType
}

/** The answer to `start`. `token` belongs to the back end. The page gets the other two members. */
export type SessionPackage<R extends SessionRequest = SessionRequest> = {
  readonly sessionPtr: SessionPointer
  readonly token: SessionToken<R>
  readonly frontendRequest: {
    readonly authorization: string
    readonly pairingHint?: true
    readonly minProtocolVersion: string
    readonly maxProtocolVersion: string
  }
}

type ByLanguage = { readonly '': string; readonly en: string; readonly nl: string }

/** A disclosed attribute. Secret. */
export type DisclosedAttribute<
  Id extends AttributeId = AttributeId,
  Value extends string | null = string | null,
> = {
  /** null: the credential has no value for it */
  readonly rawvalue: Value
  /** the value by language; all are the same */
  readonly value: Value extends null ? null : ByLanguage
  readonly id: Id
  /** `EXTRA`: disclosed, but not requested */
  readonly status: 'PRESENT' | 'NULL' | 'EXTRA'
  /** Unix seconds, start of a week */
  readonly issuancetime: number
  /** its credential was proved not to be revoked */
  readonly notrevoked?: true
  /** time up to which that proof holds, if it is older than the tolerance; Unix seconds */
  readonly notrevokedbefore?: number
}

/** The signed message of a signature session, to be stored as it is. */
export type SignedMessage = {
  readonly '@context': string
  readonly signature: readonly object[] | null
  readonly indices: readonly (readonly object[] | null)[] | null
  readonly nonce: string | number | null
  readonly context: string | number | null
  readonly message: string
  readonly timestamp: object | null
}

export type RemoteErrorObject = {
  readonly status: number
  readonly error: string
  readonly description?: string
  readonly message?: string
  readonly stacktrace?: string
}

/** The identifier in an attribute request. */
export type IdOf<A> = A extends AttributeId
  ? A
  : A extends { readonly type: infer Id extends AttributeId }
    ? Id
    : never
/** The possible values of an attribute that satisfies its request. */
export type ValueOf<A> = A extends { readonly value: infer Value extends string }
  ? Value
  : A extends { readonly notNull: true }
    ? string
    : string | null

type DisclosedOf<A> = A extends AttributeRequest ? DisclosedAttribute<IdOf<A>, ValueOf<A>> : never
type Empty = readonly [] | null

/** The attributes of the satisfied conjunction, in the order of the request. With an empty conjunction there may be none: `list?.[0]` is then undefined. */
type DisclosedList<D extends Disjunction> =
  Extract<D[number], Empty> extends never
    ? ListOf<D[number]>
    : ListOf<Exclude<D[number], Empty>> | Skipped<Exclude<D[number], Empty>> | null
type ListOf<C> = C extends readonly AttributeRequest[]
  ? { readonly [I in keyof C]: DisclosedOf<C[I]> }
  : never
/** An empty list, from which the positions of the other lists can be read. */
type Skipped<C> = readonly [] & { readonly [I in Extract<KeysOf<C>, `${number}`>]?: undefined }
type KeysOf<C> = C extends unknown ? keyof C : never

type Inner<R> = R extends { readonly request: infer Request } ? Request : R
/** The modern disjunctions of a list in the form without conjunctions. */
type FromLegacy<L extends readonly LegacyItem[]> = { readonly [I in keyof L]: FromItem<L[I]['attributes']> }
type FromItem<A> = A extends readonly AttributeId[]
  ? { readonly [I in keyof A]: readonly [A[I]] }
  : readonly (readonly [
      { readonly [Id in keyof A]: { readonly type: Id; readonly value: A[Id] } }[keyof A],
    ])[]

type LegacyList<R> = R extends { readonly type: 'disclosing' | 'signing'; readonly content: infer L }
  ? L
  : R extends { readonly type: 'issuing'; readonly disclose: infer L }
    ? L
    : never

/** The disjunctions of a request; `never` if it asks for no attributes, or if its type does not show them. */
export type DisjunctionsOf<R> = SessionRequest extends R
  ? never
  : LegacyList<Inner<R>> extends infer L extends readonly LegacyItem[]
    ? [L] extends [never]
      ? Inner<R> extends { readonly disclose: infer D extends readonly Disjunction[] }
        ? D
        : never
      : FromLegacy<L>
    : never

/** Attributes that were not requested form one more list at the end. */
type Extra = readonly (readonly DisclosedAttribute[])[]
type ModernLists<D extends readonly Disjunction[]> = readonly [
  ...{ readonly [I in keyof D]: DisclosedList<D[I]> },
  ...Extra,
]
type FlatList<D extends readonly Disjunction[]> = readonly [
  ...{ readonly [I in keyof D]: DisclosedOf<D[I][number] extends infer C ? Members<C> : never> },
  ...(readonly DisclosedAttribute[]),
]
type Members<C> = C extends readonly (infer A)[] ? A : never

type AnyLists = readonly (readonly DisclosedAttribute[] | null)[] | readonly DisclosedAttribute[]

type Disclosed<R> = [DisjunctionsOf<R>] extends [never]
  ? { readonly disclosed?: AnyLists }
  : DisjunctionsOf<R> extends infer D extends readonly Disjunction[]
    ? { readonly disclosed: [LegacyList<Inner<R>>] extends [never] ? ModernLists<D> : FlatList<D> }
    : never

type ResultMembers = {
  /** secret */
  readonly token: string
  readonly type: SessionType
  /** the cause of a cancellation */
  readonly error?: string | RemoteErrorObject
  /** the token of the session that followed; secret */
  readonly nextSession?: string
  readonly signature?: SignedMessage
}

/** A result that a site may accept: the session is done, and its proofs are valid. */
export type ValidResult<R extends SessionRequest = SessionRequest> = ResultMembers &
  Disclosed<R> & { readonly status: 'DONE'; readonly proofStatus: 'VALID'; readonly [asked]?: R }

/** A result of which a site must use no attributes. */
export type OtherResult = ResultMembers & { readonly disclosed?: AnyLists } & (
    | { readonly status: Exclude<SessionStatus, 'DONE'>; readonly proofStatus?: ProofStatus }
    | { readonly status: 'DONE'; readonly proofStatus?: Exclude<ProofStatus, 'VALID'> }
  )

/** The result of a session. After `result.status === 'DONE' && result.proofStatus === 'VALID'` its `disclosed` has the lists of the request `R`: for each disjunction
 *  the attributes of the satisfied conjunction. A request in the form without conjunctions gives one list of attributes. Without `R` the lists can have any form. */
export type SessionResult<R extends SessionRequest = SessionRequest> = ValidResult<R> | OtherResult
