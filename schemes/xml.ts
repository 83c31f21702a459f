/** XML of scheme files (spec/schemes-and-cli 3): the library splits the text into a strict tree, the rules of values stand here.
 *  Entities are decoded here alone, and only those that XML itself defines: a file cannot define one. @module */
import { XMLParser } from 'fast-xml-parser'
import { Broken } from './scheme-error.ts'

/** Names are local, without their prefix. */
export type XmlElement = {
  readonly name: string
  readonly prefix: string
  /** by local name; declarations of namespaces stand as `xmlns` and `xmlns:<prefix>` */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** the character data directly inside, not trimmed */
  readonly text: string
}

const TEXT = '#text'
const CDATA = '#cdata'
const ATTRIBUTES = ':@'
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u
const DECLARATION = /^\s*<\?xml\s([^?]*)\?>/
const COMMENT = /<!--([\s\S]*?)-->/g
const REFERENCE = /&(?:#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}))|([a-z]{2,4}));|&/g

/** The library's own reading of values, names and entities is off, and children keep their order. */
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
 *  @throws {Broken} */
export function parseXml(bytes: Uint8Array): XmlElement {
  const text = decodeUtf8(bytes)
  checkText(text)
  const nodes = parseTree(text)
  const root = nodes.map(toElement).find(element => element !== null)
  if (!root) throw new Broken('XML: expected an element, got none')
  return root
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Broken('expected UTF-8', { cause })
  }
}

/** What the library lets pass although it is no XML. */
function checkText(text: string): void {
  const forbidden = FORBIDDEN.exec(text)
  if (forbidden) throw new Broken(`XML: forbidden character at ${forbidden.index}`)
  const declaration = DECLARATION.exec(text)?.[1] ?? ''
  const version = /version\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1] ?? '1.0'
  if (version !== '1.0') throw new Broken(`XML: expected version 1.0, got ${JSON.stringify(version)}`)
  const encoding = /encoding\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1] ?? 'UTF-8'
  if (encoding.toUpperCase() !== 'UTF-8')
    throw new Broken(`XML: expected encoding UTF-8, got ${JSON.stringify(encoding)}`)
  for (const [, comment] of text.matchAll(COMMENT))
    if (comment?.includes('--') || comment?.endsWith('-')) throw new Broken('XML: "--" inside a comment')
}

function parseTree(text: string): readonly unknown[] {
  try {
    const nodes: unknown = library.parse(text, true)
    return Array.isArray(nodes) ? nodes : []
  } catch (cause) {
    throw new Broken(`XML: ${cause instanceof Error ? cause.message : 'syntax error'}`, { cause })
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function prefixOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf(':')))
}

/** One node of the library: `{ name: children, ':@': attributes }`. @returns null for text */
function toElement(node: unknown): XmlElement | null {
  let name = ''
  let content: readonly unknown[] = []
  let attributes: ReadonlyMap<string, string> = new Map()
  for (const [key, value] of Object.entries(node ?? {})) {
    if (key === ATTRIBUTES) attributes = toAttributes(value)
    else if (Array.isArray(value)) [name, content] = [key, value]
  }
  if (name === '' || name === CDATA) return null
  const children: XmlElement[] = []
  let text = ''
  for (const item of content) {
    const child = toElement(item)
    if (child) children.push(child)
    else text += toText(item)
  }
  return { name: localName(name), prefix: prefixOf(name), attributes, children, text }
}

function toAttributes(values: unknown): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  for (const [name, value] of Object.entries(values ?? {}))
    if (name === 'xmlns' || name.startsWith('xmlns:')) attributes.set(name, decodeEntities(String(value)))
    else attributes.set(localName(name), decodeEntities(String(value)))
  return attributes
}

function toText(node: unknown): string {
  let text = ''
  for (const [key, value] of Object.entries(node ?? {})) {
    if (key === TEXT) text += decodeEntities(String(value))
    else if (key === CDATA && Array.isArray(value)) for (const part of value) text += String(part[TEXT] ?? '')
  }
  return text
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (found, hex?: string, decimal?: string, name?: string) => {
    const code = hex ? Number.parseInt(hex, 16) : decimal ? Number.parseInt(decimal, 10) : null
    const decoded = code === null ? ENTITIES[name ?? ''] : code > 0x10ffff ? '' : String.fromCodePoint(code)
    if (!decoded || FORBIDDEN.test(decoded)) throw new Broken(`XML: unknown entity ${JSON.stringify(found)}`)
    return decoded
  })
}
