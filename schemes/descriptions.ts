/** Readers of the descriptions of a scheme, an issuer and a credential type (spec/schemes-and-cli#4, #5). Elements for apps and unknown elements are
 *  ignored. Each reader gets the ids that follow from the path of the file. @module */
import { credentialTypeHash } from '../crypto/metadata.ts'
import {
  attributeTypeId,
  type CredentialTypeId,
  type IssuerId,
  parseCredentialTypeId,
  parseSchemeId,
  type SchemeId,
} from '../protocol/ids.ts'
import { NAME, RESERVED } from './names.ts'
import { BrokenFileError } from './scheme-error.ts'
import type { AttributeType, CredentialType, Issuer, Scheme, TranslatedText } from './types.ts'
import type { XmlElement } from './xml.ts'
import {
  booleanAt,
  checkEqual,
  checkVersion,
  elementsAt,
  parseBoolean,
  parseInteger,
  textAt,
  textsAt,
  timeAt,
  translatedAt,
  unsignedAt,
} from './xml-values.ts'

const DEMO_PREFIX = 'Demo '
const DEFAULT_UPDATE_COUNT = 16

export type SchemeDescription = Omit<Scheme, 'keyshareKeys' | 'timestampSec' | 'issuers'>
export type IssuerDescription = Pick<Issuer, 'id' | 'name' | 'deprecatedSinceSec'> & {
  readonly languages: readonly string[]
}
type Surroundings = { readonly languages: readonly string[]; readonly isDemo: boolean }

/** @throws {BrokenFileError} */
export function readScheme(root: XmlElement): SchemeDescription {
  checkEqual('root element', 'SchemeManager', root.name)
  const kind = textAt(root, 'SchemeType')
  if (kind !== '' && kind !== 'issuer')
    throw new BrokenFileError(`SchemeType: expected "issuer", got "${kind}"`)
  checkVersion(root, 7)
  return {
    id: readSchemeId(textAt(root, 'Id')),
    name: translatedAt(root, 'Name'),
    description: translatedAt(root, 'Description'),
    url: textAt(root, 'Url'),
    isDemo: booleanAt(root, 'Demo'),
    keyshareServer: textAt(root, 'KeyshareServer'),
    keyshareAttribute: textAt(root, 'KeyshareAttribute'),
    timestampServer: textAt(root, 'TimestampServer'),
    languages: textsAt(root, 'Languages', 'Language'),
  }
}

function readSchemeId(text: string): SchemeId {
  if (!NAME.test(text))
    throw new BrokenFileError(`Id: expected letters, digits, "_" or "-", got ${JSON.stringify(text)}`)
  if (RESERVED.test(text)) throw new BrokenFileError(`Id: "${text}" starts like the remains of an update`)
  return parseSchemeId(text)
}

/** @throws {BrokenFileError} */
export function readIssuer(root: XmlElement, id: IssuerId, around: Surroundings): IssuerDescription {
  checkVersion(root, 4)
  const [scheme, name] = id.split('.')
  checkEqual('ID', name ?? '', textAt(root, 'ID'))
  checkEqual('SchemeManager', scheme ?? '', textAt(root, 'SchemeManager'))
  const own = textsAt(root, 'Languages', 'Language')
  const languages = own.length > 0 ? own : around.languages
  const translated = translatedAt(root, 'Name')
  if (around.isDemo) checkDemoName(translated, languages)
  return { id, name: translated, deprecatedSinceSec: timeAt(root, 'DeprecatedSince'), languages }
}

/** The name of a demo issuer or credential type must show that it is a demo. */
function checkDemoName(name: TranslatedText, languages: readonly string[]): void {
  const unmarked = languages.find(language => !name[language]?.startsWith(DEMO_PREFIX))
  if (unmarked !== undefined)
    throw new BrokenFileError(
      `Name: expected "${DEMO_PREFIX}" at its start in each language, not so in "${unmarked}"`,
    )
}

/** @throws {BrokenFileError} */
export function readCredentialType(
  root: XmlElement,
  id: CredentialTypeId,
  around: Surroundings,
): CredentialType {
  checkEqual('root element', 'IssueSpecification', root.name)
  checkVersion(root, 4)
  const [scheme, issuer, name] = id.split('.')
  checkEqual('SchemeManager', scheme ?? '', textAt(root, 'SchemeManager'))
  checkEqual('IssuerID', issuer ?? '', textAt(root, 'IssuerID'))
  checkEqual('CredentialID', name ?? '', textAt(root, 'CredentialID'))
  const own = textsAt(root, 'Languages', 'Language')
  const translated = translatedAt(root, 'Name')
  if (around.isDemo) checkDemoName(translated, own.length > 0 ? own : around.languages)
  const revocationServers = readRevocationServers(root, around.isDemo)
  return {
    id,
    hash: credentialTypeHash(id),
    name: translated,
    description: translatedAt(root, 'Description'),
    isSingleton: booleanAt(root, 'ShouldBeSingleton'),
    attributes: readAttributes(root, id, revocationServers.length > 0),
    supportsRevocation: revocationServers.length > 0,
    revocationServers,
    revocationUpdateCount: unsignedAt(root, 'RevocationUpdateCount') || DEFAULT_UPDATE_COUNT,
    deprecatedSinceSec: timeAt(root, 'DeprecatedSince'),
    dependencies: readDependencies(root),
  }
}

function readRevocationServers(root: XmlElement, isDemo: boolean): readonly string[] {
  const servers = textsAt(root, 'RevocationServers', 'RevocationServer')
  for (const server of servers) {
    if (!isDemo && !server.startsWith('https://'))
      throw new BrokenFileError(`RevocationServer: expected https://, got ${JSON.stringify(server)}`)
    if (server.endsWith('/'))
      throw new BrokenFileError(`RevocationServer: expected no "/" at the end of "${server}"`)
  }
  return servers
}

function readAttributes(
  root: XmlElement,
  id: CredentialTypeId,
  hasServers: boolean,
): readonly AttributeType[] {
  const attributes = elementsAt(root, 'Attributes', 'Attribute').map((element, position) =>
    readAttribute(element, id, position),
  )
  if (attributes.length === 0) throw new BrokenFileError('Attributes: expected at least one, got none')
  const ids = new Set(attributes.map(attribute => attribute.id))
  if (ids.size < attributes.length)
    throw new BrokenFileError(
      'Attributes: expected each id once, and one revocation attribute at most, got one twice',
    )
  const hasRevocation = attributes.some(attribute => attribute.isRevocation)
  if (hasRevocation && !hasServers)
    throw new BrokenFileError(
      'RevocationServers: expected one, because there is a revocation attribute, got none',
    )
  if (hasServers && !hasRevocation)
    throw new BrokenFileError(
      'Attributes: expected a revocation attribute, because there are RevocationServers, got none',
    )
  return attributes
}

function readAttribute(element: XmlElement, type: CredentialTypeId, position: number): AttributeType {
  const name = element.attributes.get('id') ?? ''
  const isRevocation = parseBoolean(element.attributes.get('revocation') ?? '', 'revocation')
  const isRandomBlind = parseBoolean(element.attributes.get('randomblind') ?? '', 'randomblind')
  if (isRevocation && isRandomBlind)
    throw new BrokenFileError(`attribute ${position}: expected revocation or randomblind, got both`)
  if (isRevocation ? name !== '' : !NAME.test(name))
    throw new BrokenFileError(
      `attribute ${position}: expected ${isRevocation ? 'no id' : 'an id'}, got "${name}"`,
    )
  return {
    id: attributeTypeId(type, name),
    name: translatedAt(element, 'Name'),
    description: translatedAt(element, 'Description'),
    isOptional: element.attributes.get('optional') === 'true', // no other spelling is accepted
    isRandomBlind,
    isRevocation,
    displayIndex: parseInteger(element.attributes.get('displayIndex') ?? String(position), 'displayIndex'),
    displayHint: element.attributes.get('displayHint') ?? '',
  }
}

function readDependencies(root: XmlElement): CredentialType['dependencies'] {
  return elementsAt(root, 'Dependencies', 'Or').map(or =>
    elementsAt(or, 'And').map(and => textsAt(and, 'CredentialType').map(readDependency)),
  )
}

function readDependency(text: string): CredentialTypeId {
  const parts = text.split('.')
  if (parts.length !== 3 || !parts.every(part => NAME.test(part)))
    throw new BrokenFileError(
      `Dependencies: expected <scheme>.<issuer>.<credential>, got ${JSON.stringify(text)}`,
    )
  return parseCredentialTypeId(text)
}
