/** Values in scheme files (spec/schemes-and-cli#3). A missing element has the zero value. Of repeated elements the last one counts; lists and
 *  translations of repeated elements are joined. @module */
import { BrokenFileError } from './scheme-error.ts'
import type { TranslatedText } from './types.ts'
import type { XmlElement } from './xml.ts'

/** The maximum number of digits; the largest number of a 4096-bit key has fewer. */
const MAX_DIGITS = 2000

const TRUE: readonly string[] = ['1', 't', 'T', 'TRUE', 'true', 'True']
const FALSE: readonly string[] = ['0', 'f', 'F', 'FALSE', 'false', 'False', '']

/** All elements at the end of a path, in document order. */
export function elementsAt(element: XmlElement, ...path: readonly string[]): readonly XmlElement[] {
  let found = [element]
  for (const name of path) {
    const next: XmlElement[] = []
    for (const each of found) for (const child of each.children) if (child.name === name) next.push(child)
    found = next
  }
  return found
}

/** The character data of the last element at the path; null if there is none. */
function lastTextAt(element: XmlElement, path: readonly string[]): string | null {
  return elementsAt(element, ...path).at(-1)?.text ?? null
}

export function textAt(element: XmlElement, ...path: readonly string[]): string {
  return lastTextAt(element, path) ?? ''
}

export function textsAt(element: XmlElement, ...path: readonly string[]): readonly string[] {
  return elementsAt(element, ...path).map(each => each.text)
}

export function translatedAt(element: XmlElement, ...path: readonly string[]): TranslatedText {
  const texts = new Map<string, string>()
  for (const each of elementsAt(element, ...path))
    for (const child of each.children) texts.set(child.name, child.text)
  return Object.fromEntries(texts)
}

/** @throws {BrokenFileError} */
export function booleanAt(element: XmlElement, ...path: readonly string[]): boolean {
  return parseBoolean(textAt(element, ...path), path.join('/'))
}

/** @throws {BrokenFileError} */
export function parseBoolean(text: string, what: string): boolean {
  const word = text.trim()
  if (TRUE.includes(word)) return true
  if (FALSE.includes(word)) return false
  throw new BrokenFileError(`${what}: expected true or false, got ${quote(text)}`)
}

/** @throws {BrokenFileError} unless the text is a decimal integer that a number holds exactly */
export function parseInteger(text: string, what: string, allowed: 'signed' | 'unsigned' = 'signed'): number {
  const digits = text.trim() === '' ? '0' : text.trim()
  const form = allowed === 'signed' ? /^[+-]?[0-9]+$/ : /^[0-9]+$/
  const value = form.test(digits) ? Number(digits) : Number.NaN
  if (Number.isSafeInteger(value)) return value
  throw new BrokenFileError(
    `${what}: expected ${allowed === 'signed' ? 'an' : 'a non-negative'} integer, got ${quote(text)}`,
  )
}

/** @throws {BrokenFileError} */
export function integerAt(element: XmlElement, ...path: readonly string[]): number {
  return parseInteger(textAt(element, ...path), path.join('/'))
}

/** @throws {BrokenFileError} */
export function unsignedAt(element: XmlElement, ...path: readonly string[]): number {
  return parseInteger(textAt(element, ...path), path.join('/'), 'unsigned')
}

/** Unix seconds; an empty element is 1970, an absent one null. @throws {BrokenFileError} */
export function timeAt(element: XmlElement, ...path: readonly string[]): number | null {
  const text = lastTextAt(element, path)
  return text === null ? null : parseInteger(text, path.join('/'))
}

/** A decimal integer of any size, without white space. The text may be secret, so no error contains it. @throws {BrokenFileError} */
export function parseBigInteger(text: string, what: string): bigint {
  if (text.length > MAX_DIGITS || !/^[0-9]+$/.test(text))
    throw new BrokenFileError(`${what}: expected decimal digits, got something else`)
  return BigInt(text)
}

/** @throws {BrokenFileError} also if the element is missing: a missing number of a key does not count as zero */
export function bigIntegerAt(element: XmlElement, ...path: readonly string[]): bigint {
  return parseBigInteger(textAt(element, ...path), path.join('/'))
}

/** @throws {BrokenFileError} if the description has an older format */
export function checkVersion(element: XmlElement, atLeast: number): void {
  const version = parseInteger(element.attributes.get('version') ?? '', 'version')
  if (version < atLeast) throw new BrokenFileError(`version: expected at least ${atLeast}, got ${version}`)
}

export function checkEqual(what: string, expected: string, got: string): void {
  if (got !== expected) throw new BrokenFileError(`${what}: expected ${quote(expected)}, got ${quote(got)}`)
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
