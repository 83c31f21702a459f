/** The request form without conjunctions, which wallet apps of version 2.4 read (spec/session-server#8). @module */

import type { AttributeRequest } from './disjunction.ts'
import { attributeNameOf, isCredentialTypeId } from './ids.ts'
import type { SessionRequest } from './request.ts'

type LegacyDisjunction = {
  readonly label: string
  readonly attributes: readonly string[] | ReadonlyMap<string, string | null>
}

/** True if every inner conjunction has one attribute, and no attribute occurs twice with different values in a disjunction. The legacy form has lists and maps of
 *  attributes, and cannot express anything else. */
export function hasLegacyForm(request: SessionRequest): boolean {
  return request.disclose.every(
    disjunction => disjunction.every(inner => inner.length === 1) && hasOneValueEach(disjunction.flat()),
  )
}

function hasOneValueEach(attributes: readonly AttributeRequest[]): boolean {
  const values = new Map(attributes.map(({ type, value }) => [type, value]))
  return attributes.every(({ type, value }) => values.get(type) === value)
}

/** `disclose` of a request for which `hasLegacyForm` is true. Members that the legacy form cannot express are dropped. */
export function legacyDisclose(request: SessionRequest): LegacyDisjunction[] {
  return request.disclose.map((disjunction, index) => {
    const attributes = disjunction.flat()
    return {
      label: request.labels[index]?.en ?? lastPart(attributes[0]),
      attributes: attributes.some(({ value }) => value !== null)
        ? new Map(attributes.map(({ type, value }) => [type, value]))
        : attributes.map(({ type }) => type),
    }
  })
}

function lastPart(attribute: AttributeRequest | undefined): string {
  if (attribute === undefined) return ''
  const { type } = attribute
  return isCredentialTypeId(type) ? type.slice(type.lastIndexOf('.') + 1) : attributeNameOf(type)
}
