/** The alternatives with which a login asks for a claim: those that the client may ask for, with the requested values and levels of assurance. @module */
import type { AttributeRequest } from '../../protocol/disjunction.ts'
import { isCredentialTypeId } from '../../protocol/ids.ts'
import { allows } from '../permissions.ts'
import type { AskedValue, ClaimAsk } from './asked-claims.ts'
import { textsOf } from './conversions.ts'
import type { PlannedAlternative } from './plan.ts'
import type { ClaimAlternative, ClaimMapping, SignInClient, SignInRules } from './rules.ts'

/** A claim, or the subject, with the ways to give it. */
export type Piece = {
  readonly isEssential: boolean
  readonly alternatives: readonly PlannedAlternative[]
}

/** @returns a function that is true if the client may ask for all attributes of the alternative */
export function clientMayAsk(
  { mayAsk, scopes }: Pick<SignInClient, 'mayAsk' | 'scopes'>,
  rules: Pick<SignInRules, 'claims' | 'scopes'>,
): (alternative: Pick<ClaimAlternative, 'attributes'>) => boolean {
  const isAllowed = allows(mayAsk ?? attributesOf(scopes, rules))
  return ({ attributes }) =>
    attributes.every(({ type }) => isAllowed(isCredentialTypeId(type) ? `${type}.*` : type))
}

/** Patterns of the attributes that the claims of these scopes are made of. */
function attributesOf(
  names: readonly string[],
  { claims, scopes }: Pick<SignInRules, 'claims' | 'scopes'>,
): readonly string[] {
  return names
    .flatMap(name => scopes.get(name) ?? [])
    .flatMap(({ essential, voluntary }) => [...essential, ...voluntary])
    .flatMap(name => claims.get(name)?.alternatives ?? [])
    .flatMap(({ attributes }) => attributes)
    .map(({ type }) => (isCredentialTypeId(type) ? `${type}.*` : type))
}

/** @param alternatives those that the client may ask for
 *  @returns a piece without alternatives if no attribute can have a requested value */
export function pieceOf(
  { name, unconvertible }: ClaimMapping,
  alternatives: readonly ClaimAlternative[],
  { isEssential, values }: ClaimAsk,
): Piece {
  const planned = alternatives.flatMap(alternative => {
    const { form, conversion, acr } = alternative
    const claims = [{ name, unconvertible, form, conversion, values }]
    return attributesWith(alternative, values).map(attributes => ({
      attributes,
      claims,
      acrs: acr === null ? [] : [acr],
      subject: null,
    }))
  })
  return { isEssential, alternatives: planned }
}

/** The attribute requests for a claim with one of these values. If the claim is made of one attribute, the request names the texts that are converted to the values, so
 *  that a wallet discloses no other text. A claim of several attributes is compared after the disclosure.
 *  @returns empty: the claim can have none of the values, because each has another type */
function attributesWith(
  { attributes, form, conversion }: ClaimAlternative,
  values: readonly AskedValue[] | null,
): readonly (readonly AttributeRequest[])[] {
  if (values === null) return [attributes]
  const texts = values.map(value => textsOf(value, conversion)).filter(each => each?.length !== 0)
  if (form.type === 'object' || texts.length === 0) return []
  const [index = -1, ...others] = form.indices
  const attribute = attributes[index]
  if (attribute === undefined || others.length > 0 || texts.includes(null)) return [attributes]
  return [...new Set(texts.flatMap(each => each ?? []))]
    .filter(text => attribute.value === null || attribute.value === text)
    .map(text => attributes.with(index, { ...attribute, value: text }))
}

/** @returns the piece with only the alternatives that have one of the levels; if there are none, the whole piece */
export function withAcrs(piece: Piece, acrs: readonly string[]): Piece {
  const fitting = piece.alternatives.filter(each => each.acrs.some(acr => acrs.includes(acr)))
  return fitting.length === 0 ? piece : { ...piece, alternatives: fitting }
}

/** True if every way to give this piece shows one of the levels. */
export function hasAcrs({ alternatives }: Piece, acrs: readonly string[]): boolean {
  return alternatives.length > 0 && alternatives.every(each => each.acrs.some(acr => acrs.includes(acr)))
}
