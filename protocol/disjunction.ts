/** The `disclose` structure (spec/interface#2.4): its shape, and the rules that need only the request. @module */
import {
  type AttributeRequestId,
  type CredentialTypeId,
  credentialTypeOf,
  parseAttributeRequestId,
} from './ids.ts'
import type { JsonValue } from './json.ts'
import type { Profile } from './profiles.ts'

import { isObject, readBoolean, readList, readString, ShapeError, shapeError } from './shape.ts'

export type AttributeRequest = {
  readonly type: AttributeRequestId
  /** null: any value */
  readonly value: string | null
  readonly notNull: boolean
}

export type InnerConjunction = readonly AttributeRequest[]
export type Disjunction = readonly InnerConjunction[]

/** Maximum number of outer items, inner conjunctions and attributes together. It keeps the work per request small, for the server and the app. */
const MAX_PARTS = 3000

/** An attribute request whose identifier is not checked yet. */
export type RawAttributeRequest = Omit<AttributeRequest, 'type'> & { readonly type: string }
export type RawDisclose = readonly (readonly (readonly RawAttributeRequest[])[])[]

/** @throws {ShapeError} */
export function readDisclose(json: JsonValue | undefined): RawDisclose {
  return readList(json, 'disclose').map((disjunction, i) =>
    readList(disjunction, () => `disclose[${i}]`).map((inner, j) =>
      readList(inner, () => `disclose[${i}][${j}]`).map((attribute, k) =>
        readAttributeRequest(attribute, () => `disclose[${i}][${j}][${k}]`),
      ),
    ),
  )
}

function readAttributeRequest(json: JsonValue, what: () => string): RawAttributeRequest {
  if (typeof json === 'string') return { type: json, value: null, notNull: false }
  if (!isObject(json)) throw shapeError(what, 'an attribute type id or an object', json)
  const { type, value, notNull } = json
  return {
    type: readString(type, () => `${what()}.type`),
    value: value === undefined || value === null ? null : readString(value, () => `${what()}.value`),
    notNull: readBoolean(notNull, () => `${what()}.notNull`),
  }
}

/** Checks rules 1 to 3 of spec/interface#2.4, except the parts that need the schemes. Converts identifiers to checked types.
 *  @throws {ShapeError} {MalformedInputError} for the first disjunction that breaks a rule */
export function checkDisclose(
  disclose: RawDisclose,
  { innerConjunctionRule }: Pick<Profile, 'innerConjunctionRule'>,
): Disjunction[] {
  requireSize(disclose)
  const checkInner =
    innerConjunctionRule === 'one-type-with-several' ? checkOneTypeWithSeveral : checkAdjacent
  return disclose.map((disjunction, i) => {
    if (disjunction.length === 0)
      throw new ShapeError(
        `Empty disjunction: disclose[${i}]: expected at least one inner conjunction, got none`,
      )
    return disjunction.map((raw, j) => {
      const inner = raw.map(request => ({ ...request, type: parseAttributeRequestId(request.type) }))
      checkInner(inner, () => `disclose[${i}][${j}]`)
      return inner
    })
  })
}

function requireSize(disclose: RawDisclose): void {
  const inner = disclose.flat()
  const parts = disclose.length + inner.length + inner.reduce((sum, { length }) => sum + length, 0)
  if (parts > MAX_PARTS) throw new ShapeError(`disclose: expected at most ${MAX_PARTS} parts, got ${parts}`)
}

/** spec/interface#2.4 rule 2. */
function checkOneTypeWithSeveral(inner: InnerConjunction, what: () => string): void {
  const seen = new Set<CredentialTypeId>()
  const several = new Set<CredentialTypeId>()
  for (const { type } of inner) {
    const owner = credentialTypeOf(type)
    if (seen.has(owner)) several.add(owner)
    seen.add(owner)
  }
  if (several.size > 1)
    throw new ShapeError(
      `${what()}: expected at most one credential type with more than one attribute, got ${[...several].join(', ')}`,
    )
}

/** The structural rule of the two that replace rule 2 in some profiles (spec/decisions#d10). */
function checkAdjacent(inner: InnerConjunction, what: () => string): void {
  const seen = new Set<CredentialTypeId>()
  let last: CredentialTypeId | undefined
  for (const { type } of inner) {
    const owner = credentialTypeOf(type)
    if (owner !== last && seen.has(owner))
      throw new ShapeError(
        `${what()}: Within inner conjunctions, attributes from the same credential type must be adjacent: ${owner}`,
      )
    seen.add(owner)
    last = owner
  }
}
