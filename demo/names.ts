/** Names of credential types and attributes in the language of the demo. @module */
import {
  type AttributeRequestId,
  type CredentialTypeId,
  credentialTypeOf,
  isCredentialTypeId,
  issuerOf,
} from '../protocol/ids.ts'
import type { Schemes, TranslatedText } from '../schemes/types.ts'

/** The English name, or the identifier if the scheme has none. */
function translate(name: TranslatedText | undefined, id: string): string {
  return name?.en ?? id
}

export function cardName(schemes: Schemes, id: AttributeRequestId): string {
  const type = credentialTypeOf(id)
  return translate(schemes.credentialType(type)?.name, type)
}

export function issuerName(schemes: Schemes, id: AttributeRequestId): string {
  return translate(schemes.issuer(issuerOf(id))?.name, issuerOf(id))
}

export function attributeName(schemes: Schemes, id: AttributeRequestId): string {
  if (isCredentialTypeId(id)) return 'That you have this card'
  return translate(schemes.attributeType(id)?.name, id)
}

/** Names of the card's attributes that are not in `shared`, in display order. */
export function otherAttributeNames(
  schemes: Schemes,
  type: CredentialTypeId,
  shared: ReadonlySet<string>,
): string[] {
  const attributes = schemes.credentialType(type)?.attributes ?? []
  return attributes
    .filter(({ id, isRevocation }) => !isRevocation && !shared.has(id))
    .toSorted((a, b) => a.displayIndex - b.displayIndex)
    .map(({ id }) => attributeName(schemes, id))
}
