/** Session requests in the form without conjunctions (spec/session-server#6.9), converted to the members of a modern request. @module */
import type { RawAttributeRequest, RawDisclose } from './disjunction.ts'
import type { JsonValue } from './json.ts'
import type { Labels, TypeSpecificMembers } from './request-members.ts'
import { isObject, type JsonObject, readList, readObject, readString, ShapeError } from './shape.ts'

const TYPES: readonly TypeSpecificMembers['type'][] = ['disclosing', 'signing', 'issuing']

/** The type of a legacy request.
 *  @throws {ShapeError} if it has no type: it is then not a session request */
export function legacyType(json: JsonObject): TypeSpecificMembers['type'] {
  const type = TYPES.find(each => each === json.type)
  if (type === undefined)
    throw new ShapeError(
      `session request: expected an @context, or the type ${TYPES.map(each => `"${each}"`).join(', ')}, got neither`,
    )
  return type
}

/** Each entry becomes a disjunction of single attributes. Its label is used for both languages. */
export function readLegacyDisclose(
  json: JsonObject,
  type: TypeSpecificMembers['type'],
): { readonly disclose: RawDisclose; readonly labels: Labels } {
  const member = type === 'issuing' ? 'disclose' : 'content'
  const entries = readList(json[member], member).map((entry, i) => {
    const { label, attributes } = readObject(entry, `${member}[${i}]`)
    return {
      label: readString(label, `${member}[${i}].label`),
      disjunction: readAttributes(attributes, `${member}[${i}].attributes`).map(attribute => [attribute]),
    }
  })
  return {
    disclose: entries.map(({ disjunction }) => disjunction),
    labels: Object.fromEntries(entries.map(({ label }, i) => [i, { en: label, nl: label }])),
  }
}

function readAttributes(json: JsonValue | undefined, what: string): RawAttributeRequest[] {
  if (isObject(json))
    return Object.entries(json).map(([type, value]) => ({
      type,
      value: value === null ? null : readString(value, `${what}: value`),
      notNull: false,
    }))
  return readList(json, what).map((type, i) => ({
    type: readString(type, `${what}[${i}]`),
    value: null,
    notNull: false,
  }))
}
