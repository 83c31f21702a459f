/** Finds the attributes with which a wallet can answer a request (spec/interface#2.4, spec/cryptography#12.4, #14.6). An outer item gets at most 100 candidates.
 *  Each satisfiable inner conjunction gets an equal share of them, for its first combinations of instances. An unused share is lost. Inner conjunctions after the
 *  hundredth get none.
 *  @module */

import type { AttributeRequest, Disjunction, InnerConjunction } from '../../protocol/disjunction.ts'
import { type AttributeRequestId, type CredentialTypeId, credentialTypeOf } from '../../protocol/ids.ts'
import type { NonRevocationRequest } from '../../protocol/request-members.ts'
import { type Credential, indexOf, isExpired, shownBytes, shownText } from './credential.ts'

const MAX_CANDIDATES = 100

/** The members of a session request that determine its candidates. */
export type DisclosureQuery = {
  readonly disclose: readonly Disjunction[]
  readonly skipExpiryCheck: readonly CredentialTypeId[]
  readonly nonRevocation: readonly NonRevocationRequest[]
}

export type CandidateAttribute = {
  readonly id: AttributeRequestId
  /** `CredentialView.id` of its instance */
  readonly credential: string
  /** base index in that credential; 1: the credential itself (a three-part id) */
  readonly index: number
  /** value shown to the requestor; null: the attribute is absent; `present` for the credential itself */
  readonly value: string | null
}

/** One way to answer an outer item: one of its inner conjunctions, with a choice of instances. */
export type Candidate = {
  /** index of the inner conjunction in the outer item, from 0 */
  readonly inner: number
  /** in the order of the inner conjunction; empty: disclose nothing */
  readonly attributes: readonly CandidateAttribute[]
}

/** An instance that matches an item, but cannot be proved unrevoked for this request. */
export type UnprovableInstance = {
  /** `CredentialView.id` */
  readonly credential: string
  readonly type: CredentialTypeId
  /** `no-witness`: it was issued without revocation. `outdated`: its witness could not be updated. */
  readonly reason: 'revoked' | 'no-witness' | 'outdated'
}

export type ItemCandidates = {
  /** In the order of the inner conjunctions. For each of them, the oldest instances come first and revoked ones last. Empty: not satisfiable. */
  readonly candidates: readonly Candidate[]
  /** one candidate discloses nothing */
  readonly isOptional: boolean
  /** if there is no candidate: the missing attributes by inner conjunction, without values */
  readonly missing: readonly (readonly AttributeRequestId[])[]
  /** instances that cannot be used, to inform the user; there may be some beside candidates */
  readonly unprovable: readonly UnprovableInstance[]
}

export type RequestCandidates = {
  /** one per outer item of `disclose` */
  readonly items: readonly ItemCandidates[]
  /** every outer item has a candidate */
  readonly isSatisfiable: boolean
}

export type Holdings = {
  /** oldest first */
  readonly credentials: readonly Credential[]
  /** ids of instances whose witness could not be updated for this request */
  readonly outdated?: ReadonlySet<string>
  readonly nowSec: number
}

/** @param earlier candidates that the previous session of a chain disclosed. Each becomes an additional item with one candidate. */
export function findCandidates(
  request: DisclosureQuery,
  { credentials, outdated = new Set(), nowSec }: Holdings,
  earlier: readonly Candidate[] = [],
): RequestCandidates {
  const usable = credentials.filter(each => isUsable(each, request.skipExpiryCheck, nowSec))
  const instances = [...usable.filter(each => !isRevoked(each)), ...usable.filter(isRevoked)].map(
    credential => ({
      credential,
      obstacle: obstacleOf(credential, request, outdated),
    }),
  )
  const byType = groupBy(instances, typeOf)
  const items = [
    ...request.disclose.map(disjunction => candidatesOf(disjunction, byType)),
    ...earlier.map(candidate => repeatedItem(candidate, instances)),
  ]
  return { items, isSatisfiable: items.every(item => item.candidates.length > 0) }
}

/** An item for the same attributes with the same values. It uses the same instances if they still exist, otherwise any that match. */
function repeatedItem({ attributes }: Candidate, instances: readonly Instance[]): ItemCandidates {
  const same = [attributes.map(({ id: type, value }) => ({ type, value, notNull: false }))]
  const chosen = new Set(attributes.map(({ credential }) => credential))
  const own = instances.filter(({ credential }) => chosen.has(credential.id))
  const itemOf = (some: readonly Instance[]): ItemCandidates => candidatesOf(same, groupBy(some, typeOf))
  const item = itemOf(own).candidates.length > 0 ? itemOf(own) : itemOf(instances)
  return { ...item, candidates: item.candidates.slice(0, 1) }
}

/** Servers refuse a signature that was made after its key expired, regardless of `skipExpiryCheck` (spec/cryptography#12.3). */
function isUsable(credential: Credential, skip: readonly CredentialTypeId[], nowSec: number): boolean {
  if (credential.metadata.signingDateSec > credential.key.expiresAtSec) return false
  return !isExpired(credential, nowSec) || skip.includes(credential.type.id)
}

function isRevoked({ revocation }: Credential): boolean {
  return revocation?.isRevoked === true
}

/** A credential, and the reason why it cannot be proved unrevoked. Null if it can, or if the request does not require it. */
type Instance = { readonly credential: Credential; readonly obstacle: UnprovableInstance['reason'] | null }

function obstacleOf(
  { id, type, revocation }: Credential,
  { nonRevocation }: DisclosureQuery,
  outdated: ReadonlySet<string>,
): Instance['obstacle'] {
  if (!nonRevocation.some(({ credential }) => credential === type.id)) return null
  if (!revocation) return 'no-witness'
  if (revocation.isRevoked) return 'revoked'
  return outdated.has(id) ? 'outdated' : null
}

/** The attribute requests of an inner conjunction that one instance must answer (spec/interface#2.4 rule 3), and the instances that match. */
type Part = {
  readonly requests: readonly AttributeRequest[]
  readonly instances: readonly Credential[]
  readonly unprovable: readonly UnprovableInstance[]
}

type ByType = ReadonlyMap<CredentialTypeId, readonly Instance[]>

function candidatesOf(disjunction: Disjunction, byType: ByType): ItemCandidates {
  const options = disjunction.map((conjunction, inner) => ({
    inner,
    conjunction,
    parts: partsOf(conjunction, byType),
  }))
  const answerable = options.filter(({ parts }) => parts.every(part => part.instances.length > 0))
  const share = Math.max(1, Math.floor(MAX_CANDIDATES / answerable.length))
  const unprovable = options.flatMap(({ parts }) => parts.flatMap(part => part.unprovable))
  return {
    candidates: answerable
      .slice(0, MAX_CANDIDATES)
      .flatMap(({ inner, conjunction, parts }) =>
        combinations(parts, share).map(chosen => ({ inner, attributes: shownOf(conjunction, chosen) })),
      ),
    isOptional: disjunction.some(conjunction => conjunction.length === 0),
    missing: answerable.length > 0 ? [] : options.map(({ parts }) => lackedBy(parts)),
    unprovable: [...new Map(unprovable.map(each => [each.credential, each])).values()],
  }
}

function partsOf(conjunction: InnerConjunction, byType: ByType): Part[] {
  const requestsByType = groupBy(conjunction, request => credentialTypeOf(request.type))
  return [...requestsByType].map(([type, requests]) => {
    const fitting = (byType.get(type) ?? []).filter(({ credential }) =>
      requests.every(request => fits(credential, request)),
    )
    return {
      requests,
      instances: fitting.flatMap(({ credential, obstacle }) => (obstacle === null ? [credential] : [])),
      unprovable: fitting.flatMap(({ credential: { id }, obstacle }) =>
        obstacle === null ? [] : [{ credential: id, type, reason: obstacle }],
      ),
    }
  })
}

function fits(credential: Credential, { type, value, notNull }: AttributeRequest): boolean {
  const index = indexOf(credential, type)
  if (index === null) return false
  const shown = shownBytes(credential, index)
  if (shown === null) return value === null && !notNull
  return value === null || Buffer.from(value).equals(shown)
}

/** The first `limit` combinations of one instance per part; the last part varies fastest. Without parts there is one empty combination. */
function combinations(parts: readonly Part[], limit: number): Credential[][] {
  let ways: Credential[][] = [[]]
  for (const { instances } of parts)
    ways = ways.flatMap(way => instances.map(instance => [...way, instance])).slice(0, limit)
  return ways
}

function shownOf(conjunction: InnerConjunction, chosen: readonly Credential[]): CandidateAttribute[] {
  return conjunction.map(({ type: id }) => {
    const credential = chosen.find(instance => instance.type.id === credentialTypeOf(id))
    const index = credential ? indexOf(credential, id) : null
    if (!credential || index === null) throw new Error(`${id}: expected an instance that fits`) // every instance of partsOf matches
    return { id, credential: credential.id, index, value: shownText(credential, index) }
  })
}

function lackedBy(parts: readonly Part[]): AttributeRequestId[] {
  return parts
    .filter(part => part.instances.length === 0)
    .flatMap(part => part.requests.map(request => request.type))
}

function typeOf({ credential }: Instance): CredentialTypeId {
  return credential.type.id
}

function groupBy<Key, Value>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group) group.push(value)
    else groups.set(keyOf(value), [value])
  }
  return groups
}
