/** Builds a session request (spec/interface#2.3 to #2.6) from flags. Every id is looked up in the schemes, so that a misspelt one is found before a server is called.
 *  @module */
import { contextOf } from '../../protocol/contexts.ts'
import {
  type AttributeRequestId,
  isCredentialTypeId,
  parseAttributeTypeId,
  parseCredentialTypeId,
} from '../../protocol/ids.ts'
import type { SessionType } from '../../protocol/request.ts'
import type { CredentialType, Schemes } from '../../schemes/types.ts'
import type { RequestFlags } from './flags.ts'
import { idOf } from './identifier.ts'

export type BuiltRequest = {
  readonly type: SessionType
  /** the extended form, with options around the request */
  readonly extended: { readonly request: object }
}

/** @throws {Error} for an unknown id, or values that do not match their credential type */
export function buildRequest(
  flags: Pick<RequestFlags, 'disclose' | 'sign' | 'issue' | 'message' | 'revocationKey'>,
  contextBase: string,
  schemes: Schemes,
): BuiltRequest {
  const type = flags.sign.length > 0 ? 'signing' : flags.issue.length > 0 ? 'issuing' : 'disclosing'
  const asked = type === 'signing' ? flags.sign : flags.disclose
  const option = type === 'signing' ? '--sign' : '--disclose'
  const request = {
    '@context': contextOf(contextBase, type),
    ...(type === 'signing' && { message: flags.message }),
    ...(type === 'issuing' && { credentials: credentialRequests(flags, schemes) }),
    ...(asked.length > 0 && { disclose: asked.map(text => disjunction(option, text, schemes)) }),
  }
  return { type, extended: { request } }
}

/** @param text ids separated by commas, each an inner conjunction of its own */
function disjunction(option: string, text: string, schemes: Schemes): readonly AttributeRequestId[][] {
  return text.split(',').map(id => [requestable(option, id.trim(), schemes)])
}

function requestable(option: string, text: string, schemes: Schemes): AttributeRequestId {
  const isCredential = text.split('.').length === 3
  const id = idOf<AttributeRequestId>(
    option,
    text,
    isCredential ? parseCredentialTypeId : parseAttributeTypeId,
  )
  const isKnown = isCredentialTypeId(id) ? schemes.credentialType(id) : schemes.attributeType(id)
  if (!isKnown)
    throw new Error(`${option}: expected an attribute of the schemes, got ${JSON.stringify(text)}`)
  return id
}

type ToIssue = Pick<RequestFlags, 'issue' | 'revocationKey'>

/** The requested credentials. The revocation key is added to every type that can be revoked, and is required for them. */
function credentialRequests({ issue, revocationKey }: ToIssue, schemes: Schemes): readonly object[] {
  const requests = issue.map(text => credentialRequest(text, schemes))
  const revocable = requests.filter(({ type }) => type.supportsRevocation)
  const [first] = revocable
  if (first && revocationKey === undefined)
    throw new Error(`--revocation-key: expected one, because ${first.type.id} can be revoked, got none`)
  if (!first && revocationKey !== undefined)
    throw new Error('--revocation-key: expected a credential type that can be revoked, got none')
  return requests.map(({ type, request }) => ({
    ...request,
    ...(type.supportsRevocation && { revocationKey }),
  }))
}

/** Parses a credential type, "=" and its values in scheme order. There is a value for every attribute except those without a chosen value.
 *  @throws {Error} for an unknown type, or values that do not match it */
export function credentialRequest(text: string, schemes: Schemes) {
  const [id = '', values, ...rest] = text.split('=')
  if (values === undefined || rest.length > 0)
    throw new Error(
      `--issue: expected a credential type, "=" and its values with commas between, got ${values === undefined ? 'no' : 'more than one'} "="`,
    )
  const type = schemes.credentialType(idOf('--issue', id.trim(), parseCredentialTypeId))
  if (!type)
    throw new Error(`--issue: expected a credential type of the schemes, got ${JSON.stringify(id.trim())}`)
  return { type, request: { credential: type.id, attributes: attributesOf(type, values) } }
}

function attributesOf(type: CredentialType, text: string): Readonly<Record<string, string>> {
  const chosen = type.attributes.filter(({ isRevocation, isRandomBlind }) => !isRevocation && !isRandomBlind)
  const names = chosen.map(({ id }) => id.slice(type.id.length + 1))
  const values = names.length === 0 && text === '' ? [] : text.split(',')
  if (names.length !== values.length)
    throw new Error(
      `--issue ${type.id}: expected ${names.length} values (${names.join(', ')}), got ${values.length}`,
    )
  return Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']))
}
