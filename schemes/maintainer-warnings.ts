/** Faults of a scheme that users see in their apps but that break no server (spec/schemes-and-cli#4, #5): missing logos, translations and credential
 *  types, and wrong orders of attributes. @module */
import { inFile } from './scheme-error.ts'
import type { SignedFiles } from './signed-files.ts'
import type { CredentialType, Issuer, Scheme } from './types.ts'
import { parseXml, type XmlElement } from './xml.ts'
import { elementsAt, textsAt, translatedAt } from './xml-values.ts'

/** Elements that every description must translate. */
const NEEDED = { scheme: ['Name', 'Description'], issuer: ['Name'], type: ['Name', 'Description'] } as const
/** Optional elements of a credential type. Their translations are checked only if the element is there. */
const OPTIONAL = [
  'IssueURL',
  'Category',
  'FAQIntro',
  'FAQPurpose',
  'FAQContent',
  'FAQHowto',
  'FAQSummary',
] as const

/** @param scheme built from these files */
export function maintainerWarnings(files: SignedFiles, scheme: Scheme): readonly string[] {
  const { languages } = scheme
  const ofScheme = untranslated(
    `Scheme ${scheme.id}`,
    rootOf(files, 'description.xml'),
    NEEDED.scheme,
    languages,
  )
  return [
    ...ofScheme,
    ...[...scheme.issuers.values()].flatMap(issuer => issuerWarnings(files, issuer, languages)),
  ]
}

function issuerWarnings(files: SignedFiles, issuer: Issuer, inherited: readonly string[]): readonly string[] {
  const folder = lastPart(issuer.id)
  const root = rootOf(files, `${folder}/description.xml`)
  const languages = languagesOf(root, inherited)
  const what = `Issuer ${issuer.id}`
  const types = [...issuer.credentialTypes.values()]
  return [
    ...logoWarning(files, what, folder),
    ...untranslated(what, root, NEEDED.issuer, languages),
    ...(types.length === 0 ? [`${what} has no credential types`] : []),
    ...types.flatMap(type => typeWarnings(files, type, `${folder}/Issues/${lastPart(type.id)}`, languages)),
  ]
}

function typeWarnings(
  files: SignedFiles,
  type: CredentialType,
  folder: string,
  inherited: readonly string[],
): readonly string[] {
  const root = rootOf(files, `${folder}/description.xml`)
  const languages = languagesOf(root, inherited)
  const what = `Credential type ${type.id}`
  const optional = OPTIONAL.filter(name => elementsAt(root, name).length > 0)
  return [
    ...logoWarning(files, what, folder),
    ...untranslated(what, root, [...NEEDED.type, ...optional], languages),
    ...orderWarnings(what, type),
    ...elementsAt(root, 'Attributes', 'Attribute').flatMap((element, position) => {
      const attribute = type.attributes[position]
      if (attribute === undefined || attribute.isRevocation) return []
      return untranslated(`Attribute ${attribute.id}`, element, NEEDED.type, languages)
    }),
  ]
}

/** Warns about a wrong `displayIndex`, by which apps order the attributes. */
function orderWarnings(what: string, { attributes }: CredentialType): readonly string[] {
  const count = attributes.length
  const outside = attributes.flatMap(({ displayIndex }, position) =>
    displayIndex >= 0 && displayIndex < count
      ? []
      : [
          `${what} has invalid attribute displayIndex at attribute ${position}: expected 0 to ${count - 1}, got ${displayIndex}`,
        ],
  )
  const isOrder = new Set(attributes.map(({ displayIndex }) => displayIndex)).size === count
  return isOrder
    ? outside
    : [...outside, `${what} has invalid attribute ordering: a displayIndex occurs twice`]
}

function logoWarning({ paths }: SignedFiles, what: string, folder: string): readonly string[] {
  return paths.has(`${folder}/logo.png`) ? [] : [`${what} has no logo.png`]
}

function untranslated(
  what: string,
  element: XmlElement,
  names: readonly string[],
  languages: readonly string[],
): readonly string[] {
  return names.flatMap(name => {
    const texts = translatedAt(element, name)
    return languages
      .filter(language => (texts[language] ?? '').trim() === '')
      .map(language => `${what} misses ${language} translation in <${name}>`)
  })
}

/** A description without languages inherits those of its parent. */
function languagesOf(root: XmlElement, inherited: readonly string[]): readonly string[] {
  const own = textsAt(root, 'Languages', 'Language')
  return own.length > 0 ? own : inherited
}

function rootOf({ folder, contents }: SignedFiles, path: string): XmlElement {
  return inFile(`${folder}/${path}`, () => parseXml(contents.get(path) ?? Buffer.of()))
}

function lastPart(id: string): string {
  return id.slice(id.lastIndexOf('.') + 1)
}
