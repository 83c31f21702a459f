/** The attributes that trials request, and the credentials that they issue. They are chosen from the wallet and the schemes, so that a server with any scheme can
 *  be tried. @module */
import { type AttributeTypeId, attributeNameOf, type CredentialTypeId, schemeOf } from '../../protocol/ids.ts'
import type { CredentialType, Schemes } from '../../schemes/types.ts'
import type { CredentialView, Wallet } from '../wallet/wallet.ts'

/** An attribute that the wallet can disclose. Its value is secret. */
export type Attribute = { readonly id: AttributeTypeId; readonly value: string }

/** The attributes to request: at least one, all of one credential. */
export type Subject = {
  readonly type: CredentialTypeId
  readonly attribute: Attribute
  /** further attributes of the same credential */
  readonly others: readonly Attribute[]
}

/** The credential that the server is asked to issue. */
export type Offer = {
  readonly type: CredentialType
  readonly attributes: Readonly<Record<string, string>>
  /** its first attribute, which always has a value */
  readonly first: Attribute
  /** an optional attribute */
  readonly optional: AttributeTypeId | null
}

/** @param asked null: the credential with most attributes is chosen
 *  @throws {Error} if the wallet has no attribute to request */
export function subjectOf(wallet: Wallet, asked: AttributeTypeId | null): Subject {
  const subjects = wallet
    .credentials()
    .filter(each => isUsable(each, wallet.schemes))
    .map(({ type, attributes }) => ({ type, known: attributes.flatMap(known) }))
    .filter(({ known: all }) => (asked === null ? all.length > 0 : all.some(({ id }) => id === asked)))
    .toSorted((one, other) => other.known.length - one.known.length)
  const [best] = subjects
  const attribute = best?.known.find(({ id }) => asked === null || id === asked)
  if (best === undefined || attribute === undefined)
    throw new Error(
      `--wallet: expected a credential with ${asked ?? 'a value'} that has neither expired nor been revoked and needs no keyshare server, got none; --wallet names the folder of a wallet, --disclose an attribute of it`,
    )
  return { type: best.type, attribute, others: best.known.filter(each => each !== attribute) }
}

function known({ id, value }: CredentialView['attributes'][number]): Attribute[] {
  return value === null ? [] : [{ id, value }]
}

function isUsable({ type, isExpired, revocation }: CredentialView, schemes: Schemes): boolean {
  const scheme = schemes.scheme(schemeOf(type))
  return !isExpired && revocation === null && scheme?.keyshareServer === ''
}

/** @param values of every attribute, by name */
export function offerOf(type: CredentialType, attributes: Readonly<Record<string, string>>): Offer {
  const [first] = type.attributes
  if (first === undefined) throw new Error(`--issue: expected a type with attributes, got ${type.id}`)
  const optional = type.attributes.findLast(({ isOptional }) => isOptional)?.id ?? null
  const value = attributes[attributeNameOf(first.id)] ?? ''
  return { type, attributes, first: { id: first.id, value }, optional }
}

/** Two credential types with two plain attributes each, all of which are requested. */
export function twoTypes(
  { type }: Subject,
  schemes: Schemes,
): readonly (readonly AttributeTypeId[])[] | null {
  const found = [...(schemes.scheme(schemeOf(type))?.issuers.values() ?? [])]
    .flatMap(({ credentialTypes }) => [...credentialTypes.values()])
    .map(({ attributes }) => attributes.filter(each => !each.isRandomBlind && !each.isRevocation))
    .filter(attributes => attributes.length > 1)
    .map(attributes => attributes.slice(0, 2).map(({ id }) => id))
  return found.length > 1 ? found.slice(0, 2) : null
}
