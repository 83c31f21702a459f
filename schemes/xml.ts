/** Parses XML of scheme files (spec/schemes-and-cli#3): the library splits the text, and this file applies the stricter rules. Only the entities that
 *  XML itself defines are decoded; a file cannot define one. @module */
import { XMLParser } from 'fast-xml-parser'
import { BrokenFileError } from './scheme-error.ts'

/** Names are local, without their prefix. */
export type XmlElement = {
  readonly name: string
  readonly prefix: string
  /** by local name; namespace declarations have the names `xmlns` and `xmlns:<prefix>` */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** the character data directly inside, not trimmed */
  readonly text: string
}

/** A node of the library: `{ <name>: [child, ...], ':@': attributes }` or `{ '#text': text }`. */
type LibraryNode = {
  readonly [TEXT]?: string
  readonly [ATTRIBUTES]?: Readonly<Record<string, string>>
} & { readonly [name: string]: LibraryNodes }
type LibraryNodes = readonly LibraryNode[]

const TEXT = '#text'
const CDATA = '#cdata'
const ATTRIBUTES = ':@'
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
/** Control characters and non-characters, which XML does not allow. Half of a surrogate pair cannot occur in decoded UTF-8. */
const FORBIDDEN = /[^\t\n\r -\uFFFD]/
const DECLARATION = /^\s*<\?xml\s([^?]*)\?>/
const [COMMENT, COMMENT_END] = ['<!--', '-->'] as const
const utf8 = new TextDecoder('utf-8', { fatal: true })
const REFERENCE = /&(?:#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}))|([a-z]{2,4}));|&/g

/** The library must not convert values, names or entities, and must keep the order of children. */
const library = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  textNodeName: TEXT,
  cdataPropName: CDATA,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
  jPath: false,
})

/** @returns the root element
 *  @throws {BrokenFileError} */
export function parseXml(bytes: Uint8Array): XmlElement {
  const text = decodeUtf8(bytes)
  checkText(text)
  for (const node of parseTree(text)) {
    const name = nameOf(node)
    if (name !== TEXT && name !== CDATA) return toElement(node, name)
  }
  throw new BrokenFileError('XML: expected an element, got none')
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new BrokenFileError('expected UTF-8', { cause })
  }
}

/** Refuses invalid XML that the library accepts. */
function checkText(text: string): void {
  const forbidden = FORBIDDEN.exec(text)
  if (forbidden)
    throw new BrokenFileError(`XML: expected no forbidden character, got one at ${forbidden.index}`)
  const declaration = DECLARATION.exec(text)?.[1] ?? ''
  const version = /version\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1] ?? '1.0'
  if (version !== '1.0')
    throw new BrokenFileError(`XML: expected version 1.0, got ${JSON.stringify(version)}`)
  const encoding = /encoding\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1] ?? 'UTF-8'
  if (encoding.toUpperCase() !== 'UTF-8')
    throw new BrokenFileError(`XML: expected encoding UTF-8, got ${JSON.stringify(encoding)}`)
  checkComments(text)
}

/** The library refuses a comment that does not end. */
function checkComments(text: string): void {
  let start = text.indexOf(COMMENT)
  while (start >= 0) {
    const inside = start + COMMENT.length
    const end = text.indexOf(COMMENT_END, inside)
    if (end < 0) return
    if (text.indexOf('--', inside) < end)
      throw new BrokenFileError('XML: expected no "--" inside a comment, got one')
    start = text.indexOf(COMMENT, end + COMMENT_END.length)
  }
}

function parseTree(text: string): LibraryNodes {
  try {
    return library.parse(text, true) ?? []
  } catch (cause) {
    throw new BrokenFileError(
      `XML: expected well-formed text, got: ${cause instanceof Error ? cause.message : 'a syntax error'}`,
      { cause },
    )
  }
}

/** The first member is the name of the node; attributes come after it. */
function nameOf(node: LibraryNode): string {
  for (const name in node) return name
  return TEXT
}

function toElement(node: LibraryNode, qualified: string): XmlElement {
  const colon = qualified.indexOf(':')
  const children: XmlElement[] = []
  let text = ''
  for (const item of node[qualified] ?? []) {
    const name = nameOf(item)
    if (name === TEXT) text += decodeEntities(item[TEXT] ?? '')
    else if (name === CDATA) text += item[CDATA]?.[0]?.[TEXT] ?? ''
    else children.push(toElement(item, name))
  }
  return {
    name: qualified.slice(colon + 1),
    prefix: qualified.slice(0, Math.max(0, colon)),
    attributes: toAttributes(node[ATTRIBUTES]),
    children,
    text,
  }
}

function toAttributes(values: Readonly<Record<string, string>> | undefined): ReadonlyMap<string, string> {
  if (!values) return NO_ATTRIBUTES
  const attributes = new Map<string, string>()
  for (const [name, value] of Object.entries(values)) {
    const key = name.startsWith('xmlns:') ? name : name.slice(name.indexOf(':') + 1)
    attributes.set(key, decodeEntities(value))
  }
  return attributes
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (found, hex?: string, decimal?: string, name?: string) => {
    const code = hex ? Number.parseInt(hex, 16) : decimal ? Number.parseInt(decimal, 10) : null
    const decoded = code === null ? ENTITIES[name ?? ''] : characterOf(code)
    if (!decoded)
      throw new BrokenFileError(
        `XML: expected a known entity, got the unknown entity ${JSON.stringify(found)}`,
      )
    return decoded
  })
}

/** @returns null unless XML allows the character */
function characterOf(code: number): string | null {
  const isHalfOfPair = code >= 0xd800 && code <= 0xdfff
  if (code > 0x10ffff || isHalfOfPair) return null
  const character = String.fromCodePoint(code)
  return FORBIDDEN.test(character) ? null : character
}
