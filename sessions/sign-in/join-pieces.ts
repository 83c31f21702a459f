/** Joins claims of one credential to one item of the request: the wallet then shows one card, and all values come from the same card. @module */
import type { AttributeRequest } from '../../protocol/disjunction.ts'
import { credentialTypeOf } from '../../protocol/ids.ts'
import type { Piece } from './narrow-claims.ts'
import type { PlannedAlternative, PlannedClaim } from './plan.ts'
import type { TextParts } from './rules.ts'

/** Joins essential pieces that are made of the same credentials. A voluntary piece is joined only to a piece that asks for all of its attributes already, so that
 *  the user decides about each further attribute.
 *  @param pieces each with at least one alternative */
export function joinPieces(pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = []
  const inOrder = [...pieces.filter(each => each.isEssential), ...pieces.filter(each => !each.isEssential)]
  for (const piece of inOrder) {
    const found = joined.map((other, at) => ({ at, both: joinTwo(other, piece) })).find(isJoined)
    if (found === undefined) joined.push(piece)
    else joined[found.at] = found.both
  }
  return joined
}

function isJoined(found: { readonly at: number; readonly both: Piece | null }): found is {
  readonly at: number
  readonly both: Piece
} {
  return found.both !== null
}

/** @returns null: the pieces are not joined */
function joinTwo(first: Piece, second: Piece): Piece | null {
  const alternatives: PlannedAlternative[] = []
  for (const [one, other] of pairsOf(first, second) ?? []) {
    const both = joinAlternatives(one, other)
    if (both === null) return null
    const asksMore = !isDeepEqual(both.attributes, one.attributes)
    if (asksMore && !second.isEssential) return null
    alternatives.push(both)
  }
  return alternatives.length === 0 ? null : { isEssential: first.isEssential, alternatives }
}

/** Pairs the alternatives of two pieces. Every user who can give both pieces must be able to give at least one of the pairs. With several credential types and
 *  conditions on values, a user may have a card for each piece, but no card that satisfies a pair.
 *  @returns null: no such pairs are possible, so the pieces are not joined */
function pairsOf(
  { alternatives: some }: Piece,
  { alternatives: others }: Piece,
): readonly (readonly [PlannedAlternative, PlannedAlternative])[] | null {
  const [one, other] = [some[0], others[0]]
  if (one === undefined || other === undefined) return null
  const types = some.map(credentialOf)
  const otherTypes = others.map(credentialOf)
  const areOfOneType = new Set([...types, ...otherTypes]).size === 1
  if (areOfOneType && some.length === 1) return others.map(each => [one, each])
  if (areOfOneType && others.length === 1) return some.map(each => [each, other])
  if (isDeepEqual(some.map(attributesOf), others.map(attributesOf)))
    return some.map((each, i) => [each, others[i] ?? each])
  const areDistinct = new Set(types).size === types.length
  const isFree = [...some, ...others].every(({ attributes }) =>
    attributes.every(({ value, notNull }) => value === null && !notNull),
  )
  if (!areDistinct || !isFree || !isDeepEqual(types, otherTypes)) return null
  return some.map((each, i) => [each, others[i] ?? each])
}

function attributesOf({ attributes }: PlannedAlternative): readonly AttributeRequest[] {
  return attributes
}

/** The credential type of an alternative; empty: it has no attribute. */
function credentialOf({ attributes: [first] }: PlannedAlternative): string {
  return first === undefined ? '' : credentialTypeOf(first.type)
}

function isDeepEqual(some: readonly unknown[], others: readonly unknown[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others)
}

/** @returns null if one attribute would need two values */
function joinAlternatives(one: PlannedAlternative, other: PlannedAlternative): PlannedAlternative | null {
  const attributes = [...one.attributes]
  const moved: number[] = []
  for (const asked of other.attributes) {
    const at = attributes.findIndex(({ type }) => type === asked.type)
    const found = attributes[at]
    if (found === undefined) {
      moved.push(attributes.push(asked) - 1)
      continue
    }
    if (found.value !== null && asked.value !== null && found.value !== asked.value) return null
    moved.push(at)
    attributes[at] = {
      type: found.type,
      value: found.value ?? asked.value,
      notNull: found.notNull || asked.notNull,
    }
  }
  return {
    attributes,
    claims: [...one.claims, ...other.claims.map(claim => movedClaim(claim, moved))],
    acrs: [...new Set([...one.acrs, ...other.acrs])],
    subject: one.subject ?? (other.subject === null ? null : (moved[other.subject] ?? null)),
  }
}

function movedClaim(claim: PlannedClaim, moved: readonly number[]): PlannedClaim {
  const { form } = claim
  const movedParts = ({ indices, separator }: TextParts): TextParts => ({
    indices: indices.flatMap(index => moved[index] ?? []),
    separator,
  })
  if (form.type === 'text') return { ...claim, form: { type: 'text', ...movedParts(form) } }
  const members = Object.entries(form.members).map(([name, parts]) => [name, movedParts(parts)] as const)
  return { ...claim, form: { type: 'object', members: Object.fromEntries(members) } }
}
