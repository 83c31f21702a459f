/** One way to give a claim, as the settings write it: attributes of one credential, conditions, and a conversion. @module */
import type { AttributeRequest } from '../../../protocol/disjunction.ts'
import { credentialTypeOf, isCredentialTypeId } from '../../../protocol/ids.ts'
import { FALSE_WORDS, TRUE_WORDS } from '../../../sessions/sign-in/conversions.ts'
import {
  type ClaimAlternative,
  type ClaimForm,
  type Conversion,
  DATE_FORMATS,
  type DateFormat,
  type TextParts,
} from '../../../sessions/sign-in/rules.ts'
import type { Refusals } from '../errors.ts'
import { type AttributeFacts, knownAttribute } from './attributes.ts'
import { isObject, kindOf, MemberReader } from './member-reader.ts'

/** Members that a mapping may give once, for all ways in it. */
export const SHARED_MEMBERS = [
  'convert',
  'formats',
  'true_words',
  'false_words',
  'separator',
  'acr',
  'not_revoked',
] as const
/** Members that name the attributes of one way, and conditions on them. */
export const OWN_MEMBERS = ['attribute', 'attributes', 'members', 'where', 'value', 'notNull'] as const

export type WayFacts = AttributeFacts & {
  readonly acrValues: readonly string[]
  readonly refusals: Refusals
}

const CONVERSIONS = ['text', 'boolean', 'number', 'date', 'presence'] as const
const CONDITIONS = ['attribute', 'value', 'notNull'] as const

/** @param value an attribute, or an object
 *  @param shared members of the mapping around it */
export function wayOf(
  place: string,
  value: unknown,
  shared: Readonly<Record<string, unknown>>,
  facts: WayFacts,
): ClaimAlternative {
  const json = typeof value === 'string' ? { attribute: value } : value
  const known = [...OWN_MEMBERS, ...SHARED_MEMBERS]
  const way = new MemberReader(place, isObject(json) ? { ...shared, ...json } : json, known, facts.refusals)
  const attributes: AttributeRequest[] = []
  const form = readForm(way, attributes, facts)
  for (const [i, each] of listOf(way, 'where').entries())
    addAttribute(`${way.placeOf('where')}[${i}]`, each, attributes, facts)
  checkOneCredential(way, attributes)
  const acr = way.text('acr')
  if (acr !== '' && !facts.acrValues.includes(acr))
    way.refuse('acr', `expected a level of "acr_values", got ${JSON.stringify(acr.slice(0, 80))}`)
  const isNotRevoked = way.flag('not_revoked')
  if (isNotRevoked) checkRevocable(way, attributes, facts)
  const conversion = readConversion(way, attributes, form)
  return { attributes, form, conversion, acr: acr === '' ? null : acr, isNotRevoked }
}

/** @param attributes the list to which the attributes of the claim are added */
function readForm(way: MemberReader, attributes: AttributeRequest[], facts: WayFacts): ClaimForm {
  const given = ['attribute', 'attributes', 'members'].filter(name => way.has(name))
  if (given.length !== 1)
    way.refuse('', `expected one of attribute, attributes and members, got ${given.join(' and ') || 'none'}`)
  const separator = readSeparator(way)
  for (const name of ['value', 'notNull'])
    if (way.has(name) && !way.has('attribute')) way.refuse(name, 'expected none without "attribute", got one')
  const add = (place: string, json: unknown): number => addAttribute(place, json, attributes, facts)
  if (way.has('members')) return readMembers(way, separator, add)
  if (way.has('attributes')) {
    const indices = listOf(way, 'attributes').map((each, i) =>
      add(`${way.placeOf('attributes')}[${i}]`, each),
    )
    return { type: 'text', indices: known(indices), separator }
  }
  if (!way.has('attribute')) return { type: 'text', indices: [], separator }
  const condition = Object.fromEntries(CONDITIONS.map(name => [name, way.value(name)]))
  return { type: 'text', indices: known([add(way.place, condition)]), separator }
}

/** Unlike other texts, it may be empty. */
function readSeparator(way: MemberReader): string {
  const value = way.value('separator')
  if (typeof value === 'string') return value
  if (way.has('separator')) way.refuse('separator', `expected text, got ${kindOf(value)}`)
  return ' '
}

function readMembers(
  way: MemberReader,
  separator: string,
  add: (place: string, json: unknown) => number,
): ClaimForm {
  const value = way.value('members')
  const place = way.placeOf('members')
  if (!isObject(value) || Object.keys(value).length === 0)
    way.refuse(
      'members',
      `expected an object with attributes by member, got ${isObject(value) ? 'an empty object' : kindOf(value)}`,
    )
  const members: Record<string, TextParts> = {}
  for (const [name, parts] of Object.entries(isObject(value) ? value : {})) {
    const each: readonly unknown[] = Array.isArray(parts) ? parts : [parts]
    if (each.length === 0) way.refuse(`members.${name}`, 'expected at least one attribute, got an empty list')
    members[name] = { indices: known(each.map(part => add(`${place}.${name}`, part))), separator }
  }
  return { type: 'object', members }
}

/** Leaves out the index -1 of an attribute that was refused. */
function known(indices: readonly number[]): readonly number[] {
  return indices.filter(index => index >= 0)
}

function listOf(way: MemberReader, name: string): readonly unknown[] {
  const value = way.value(name)
  if (!way.has(name)) return []
  if (Array.isArray(value) && value.length > 0) return value
  way.refuse(
    name,
    `expected a list of attributes, got ${Array.isArray(value) ? 'an empty list' : kindOf(value)}`,
  )
  return []
}

/** @returns the index of the attribute; -1: it is refused */
function addAttribute(place: string, json: unknown, attributes: AttributeRequest[], facts: WayFacts): number {
  const condition = typeof json === 'string' ? { attribute: json } : json
  const reader = new MemberReader(place, condition, CONDITIONS, facts.refusals)
  const text = reader.text('attribute')
  if (text === '' && !reader.has('attribute') && isObject(condition))
    reader.refuse('attribute', 'expected an attribute, got none')
  const found = text === '' ? null : knownAttribute(text, facts)
  if (found !== null && 'why' in found) reader.refuse('', found.why)
  const value = reader.text('value')
  const notNull = reader.flag('notNull')
  if (found === null || 'why' in found) return -1
  const at = attributes.findIndex(({ type }) => type === found.id)
  if (at >= 0 && (value !== '' || notNull))
    reader.refuse('', `expected one condition for ${found.id}, got two`)
  if (at >= 0) return at
  return attributes.push({ type: found.id, value: value === '' ? null : value, notNull }) - 1
}

/** The values of a claim come from one card. */
function checkOneCredential(way: MemberReader, attributes: readonly AttributeRequest[]): void {
  const types = new Set(attributes.map(({ type }) => credentialTypeOf(type)))
  if (types.size > 1)
    way.refuse('', `expected attributes of one credential type, got those of ${[...types].join(' and ')}`)
}

function checkRevocable(
  way: MemberReader,
  attributes: readonly AttributeRequest[],
  { schemes }: WayFacts,
): void {
  for (const type of new Set(attributes.map(each => credentialTypeOf(each.type))))
    if (!schemes.credentialType(type)?.supportsRevocation)
      way.refuse('not_revoked', `expected a credential type that can be revoked, got ${type}`)
}

function readConversion(
  way: MemberReader,
  attributes: readonly AttributeRequest[],
  form: ClaimForm,
): Conversion {
  const isPresence = attributes.some(({ type }) => isCredentialTypeId(type))
  const to = way.has('convert') ? way.choice('convert', CONVERSIONS) : isPresence ? 'presence' : 'text'
  if (form.type === 'object' && to !== 'text')
    way.refuse('convert', 'expected none beside "members", because its members are texts, got one')
  const formats = way.texts('formats')
  const wrong = formats.find(each => !DATE_FORMATS.some(format => format === each))
  if (wrong !== undefined)
    way.refuse('formats', `expected some of ${DATE_FORMATS.join(', ')}, got another text`)
  if (formats.length > 0 && to !== 'date')
    way.refuse('formats', 'expected none without "convert: date", got some')
  const words = { true: way.texts('true_words'), false: way.texts('false_words') }
  if (words.true.length + words.false.length > 0 && to !== 'boolean')
    way.refuse('true_words', 'expected no words without "convert: boolean", got some')
  const both = words.true.find(word => words.false.includes(word))
  if (both !== undefined) way.refuse('false_words', 'expected other words than in "true_words", got the same')
  if (to === 'date') return { to, formats: formats.length === 0 ? DEFAULT_FORMATS : formats.filter(isFormat) }
  if (to !== 'boolean') return { to }
  return {
    to,
    true: words.true.length === 0 ? TRUE_WORDS : words.true,
    false: words.false.length === 0 ? FALSE_WORDS : words.false,
  }
}

/** No text matches both formats, so their order does not matter. */
const DEFAULT_FORMATS: readonly DateFormat[] = ['yyyy-mm-dd', 'dd-mm-yyyy']

function isFormat(text: string): text is DateFormat {
  return DATE_FORMATS.some(format => format === text)
}
