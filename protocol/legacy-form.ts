/** The form that requests had before conjunctions, as wallet apps of version 2.4 read it (`spec/session-server.md` 8). @module */

import type { AttributeRequest } from './disjunction.ts'
import { attributeNameOf, isCredentialTypeId } from './ids.ts'
import type { SessionRequest } from './request.ts'

type LegacyDisjunction = {
  readonly label: string
  readonly attributes: readonly string[] | ReadonlyMap<string, string | null>
}

/** Every inner conjunction holds one attribute, so that a disjunction is a list of attributes; and none twice with different values, which a
 *  map of attributes cannot hold. */
export function hasLegacyForm(request: SessionRequest): boolean {
  return request.disclose.every(
    disjunction => disjunction.every(inner => inner.length === 1) && hasOneValueEach(disjunction.flat()),
  )
}

function hasOneValueEach(attributes: readonly AttributeRequest[]): boolean {
  const values = new Map(attributes.map(({ type, value }) => [type, value]))
  return attributes.every(({ type, value }) => values.get(type) === value)
}

/** `disclose` of a request that `hasLegacyForm`; what that form cannot say is lost. */
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
