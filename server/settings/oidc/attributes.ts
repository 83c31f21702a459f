/** Attributes that the settings of sign-in name: each must exist in the schemes. @module */
import { MalformedInputError } from '../../../protocol/errors.ts'
import {
  type AttributeRequestId,
  credentialTypeOf,
  isCredentialTypeId,
  parseAttributeRequestId,
  schemeOf,
} from '../../../protocol/ids.ts'
import type { Schemes } from '../../../schemes/types.ts'
import { nearestOf } from '../against-schemes.ts'

export type AttributeFacts = { readonly schemes: Schemes; readonly production: boolean }

/** @returns the identifier, or why the settings may not name it */
export function knownAttribute(
  text: string,
  { schemes }: AttributeFacts,
): { readonly id: AttributeRequestId } | { readonly why: string } {
  const id = parsed(text)
  const shown = JSON.stringify(text.slice(0, 100))
  if (id === null) return { why: `expected an attribute such as scheme.issuer.credential.name, got ${shown}` }
  const scheme = schemes.scheme(schemeOf(id))
  if (scheme === undefined)
    return { why: `expected an attribute of the schemes, got ${shown}, and no scheme ${schemeOf(id)}` }
  if (!exists(id, schemes))
    return { why: `expected an attribute of the schemes, got ${shown}${nearestOf(text.split('.'), schemes)}` }
  return { id }
}

/** True if a standard claim may use it: the scheme is installed, and is fit for this server. */
export function isUsable(text: string, facts: AttributeFacts): boolean {
  const found = knownAttribute(text, facts)
  return 'id' in found && !(facts.production && isOfDemo(found.id, facts))
}

/** The private keys of a demo scheme are public: its attributes prove nothing. */
export function isOfDemo(id: AttributeRequestId, { schemes }: AttributeFacts): boolean {
  return schemes.scheme(schemeOf(id))?.isDemo === true
}

function exists(id: AttributeRequestId, schemes: Schemes): boolean {
  const type = schemes.credentialType(credentialTypeOf(id))
  if (type === undefined) return false
  return isCredentialTypeId(id) || type.attributes.some(each => each.id === id && !each.isRevocation)
}

function parsed(text: string): AttributeRequestId | null {
  try {
    return parseAttributeRequestId(text)
  } catch (error) {
    if (!(error instanceof MalformedInputError)) throw error
    return null
  }
}
