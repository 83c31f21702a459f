/** The session request that `svc session` sends (spec 2.3, 2.4): built from its flags, or given as JSON. @module */
import {
  type AttributeRequestId,
  isCredentialTypeId,
  parseAttributeTypeId,
  parseCredentialTypeId,
} from '../../protocol/ids.ts'
import type { Schemes } from '../../schemes/types.ts'

/** @param text one flag: ids with commas between, each an inner conjunction of its own
 *  @throws {Error} about an id that the schemes do not hold */
function disjunction(text: string, schemes: Schemes): readonly (readonly AttributeRequestId[])[] {
  return text.split(',').map(id => [requestable(id.trim(), schemes)])
}

function requestable(text: string, schemes: Schemes): AttributeRequestId {
  const isCredential = text.split('.').length === 3
  const id = isCredential ? parseCredentialTypeId(text) : parseAttributeTypeId(text)
  const isKnown = isCredentialTypeId(id) ? schemes.credentialType(id) : schemes.attributeType(id)
  if (!isKnown)
    throw new Error(`--disclose: expected an attribute of the schemes, got ${JSON.stringify(text)}`)
  return id
}

/** @param flags each `--disclose` that was given
 *  @returns extended session request, JSON */
export function disclosureRequest(flags: readonly string[], contextBase: string, schemes: Schemes): string {
  const request = {
    '@context': `${contextBase}/ld/request/disclosure/v2`,
    disclose: flags.map(flag => disjunction(flag, schemes)),
  }
  return JSON.stringify({ request })
}
