/** Identifiers (spec/interface#2.1). They are checked once, at the edge; only these parsers produce their types. @module */
import { MalformedInputError } from './errors.ts'

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

export type SchemeId = Branded<'SchemeId'>
/** `<scheme>.<issuer>` */
export type IssuerId = Branded<'IssuerId'>
/** `<scheme>.<issuer>.<credential>` */
export type CredentialTypeId = Branded<'CredentialTypeId'>
/** `<scheme>.<issuer>.<credential>.<attribute>`; the name of a revocation attribute is empty */
export type AttributeTypeId = Branded<'AttributeTypeId'>

/** The target of an attribute request: an attribute, or with three parts the credential itself (spec/decisions#d8). */
export type AttributeRequestId = AttributeTypeId | CredentialTypeId

/** The patterns of identifiers, by number of parts. Each name consists of letters, digits, `_` and `-`. */
const SHAPES = [1, 2, 3, 4].map(count => new RegExp(`^[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+){${count - 1}}$`))

function hasParts(text: string, count: 1 | 2 | 3 | 4): boolean {
  return SHAPES[count - 1]?.test(text) ?? false
}

function expected(what: string, form: string, text: string): never {
  throw new MalformedInputError(`${what}: expected ${form}, got ${JSON.stringify(text.slice(0, 100))}`)
}

/** @throws {MalformedInputError} */
export function parseSchemeId(text: string): SchemeId {
  if (!hasParts(text, 1)) expected('scheme id', 'letters, digits, "_" or "-"', text)
  return text as SchemeId
}

/** @throws {MalformedInputError} */
export function parseIssuerId(text: string): IssuerId {
  if (!hasParts(text, 2)) expected('issuer id', '<scheme>.<issuer>', text)
  return text as IssuerId
}

/** @throws {MalformedInputError} */
export function parseCredentialTypeId(text: string): CredentialTypeId {
  if (!hasParts(text, 3)) expected('credential type id', '<scheme>.<issuer>.<credential>', text)
  return text as CredentialTypeId
}

/** Reads an attribute type id. A trailing dot names the revocation attribute, the only one with an empty name.
 *  @throws {MalformedInputError} */
export function parseAttributeTypeId(text: string): AttributeTypeId {
  const isNameless = text.endsWith('.') && hasParts(text.slice(0, -1), 3)
  if (!isNameless && !hasParts(text, 4))
    expected('attribute type id', '<scheme>.<issuer>.<credential>.<attribute>', text)
  return text as AttributeTypeId
}

/** Reads the target of an attribute request: four parts, or three (spec/decisions#d8).
 *  @throws {MalformedInputError} */
export function parseAttributeRequestId(text: string): AttributeRequestId {
  if (hasParts(text, 3)) return text as CredentialTypeId
  const count = text.split('.').length
  if (count !== 3 && count !== 4)
    throw new MalformedInputError(`attribute request: expected an identifier of 4 or 3 parts, got ${count}`)
  return parseAttributeTypeId(text)
}

export function schemeOf(id: IssuerId | AttributeRequestId): SchemeId {
  return id.slice(0, id.indexOf('.')) as SchemeId
}

export function issuerOf(id: AttributeRequestId): IssuerId {
  return id.slice(0, id.indexOf('.', id.indexOf('.') + 1)) as IssuerId
}

export function isCredentialTypeId(id: AttributeRequestId): id is CredentialTypeId {
  return id.split('.').length === 3
}

/** The credential type of a requested attribute. A credential type id is returned unchanged. */
export function credentialTypeOf(id: AttributeRequestId): CredentialTypeId {
  const issuerEnd = id.indexOf('.', id.indexOf('.') + 1)
  const end = id.indexOf('.', issuerEnd + 1)
  return (end < 0 ? id : id.slice(0, end)) as CredentialTypeId
}

/** The last part: the attribute's name, empty for a revocation attribute. */
export function attributeNameOf(id: AttributeTypeId): string {
  return id.slice(id.lastIndexOf('.') + 1)
}

/** The id of an attribute of a known credential type. `name` comes from the scheme. */
export function attributeTypeId(credentialType: CredentialTypeId, name: string): AttributeTypeId {
  return `${credentialType}.${name}` as AttributeTypeId
}
