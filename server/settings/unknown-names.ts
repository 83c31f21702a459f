/** Finds names in the settings that no option has (spec/decisions#d29), at every depth except inside a session request. A misspelt name stops the start, and the message
 *  contains the nearest known name. If it were ignored, a permission with a misspelt name would be lost. @module */
import { FlagError, SettingsError } from './errors.ts'
import type { ForeignOptions } from './foreign-options.ts'
import { nearestName } from './nearest.ts'
import { switchInFile } from './values.ts'

/** A source of options, such as a file: its name for messages, the name of one option in messages, and the option that a name in this source means. */
type Source = {
  readonly inWords: string
  readonly placeOf: (name: string) => string
  readonly optionOf: (name: string) => string
  readonly foreign: Elsewhere
}

type Elsewhere = Pick<ForeignOptions, 'ignored' | 'refused'>

/** @param known names of all options, as this source writes them
 *  @returns a line for each option of existing servers that is ignored, with the reason; and a line for each name that is unknown, or that asks for something that this
 *  server does not do */
export function unknownOptions(
  given: Readonly<Record<string, unknown>>,
  known: readonly string[],
  { inWords, placeOf, optionOf, foreign }: Source,
): { readonly ignored: readonly string[]; readonly refused: readonly string[] } {
  const [ignored, refused]: [string[], string[]] = [[], []]
  for (const [name, value] of Object.entries(given)) {
    if (known.includes(name)) continue
    const found = foreignOption(foreign, optionOf(name), value)
    if (found === undefined) refused.push(`${inWords}: expected options by name, got ${unknown(name, known)}`)
    else if (found.isRefused) refused.push(`${placeOf(name)}: ${found.why}`)
    else ignored.push(`${placeOf(name)}: ignored, because ${found.why}`)
  }
  return { ignored, refused }
}

/** @param value as written in a file or a variable
 *  @returns why the option is ignored, or why the start is refused, without the value; undefined: the existing server has no such option either */
export function foreignOption(
  { ignored, refused }: Elsewhere,
  name: string,
  value: unknown,
): { readonly isRefused: boolean; readonly why: string } | undefined {
  if (Object.hasOwn(ignored, name)) return { isRefused: false, why: ignored[name] ?? '' }
  const option = Object.hasOwn(refused, name) ? refused[name] : undefined
  if (option === undefined) return undefined
  const { harmless, instead } = option
  if (asksForNothing(value, harmless)) return { isRefused: false, why: 'its value changes nothing' }
  const allowed = harmless.filter(text => text !== '').map(text => ` except ${text}`)
  return { isRefused: true, why: `not supported here${allowed.join('')}; delete it: ${instead}` }
}

/** True if the value changes nothing in our server. An object changes nothing if none of its members does. */
function asksForNothing(value: unknown, harmless: readonly string[]): boolean {
  if (isObject(value)) return Object.values(value).every(member => asksForNothing(member, ['']))
  if (value === undefined || value === null || value === '') return true
  return harmless.includes(String(value)) || harmless.includes(String(switchInFile(value, true)))
}

/** The members that an object inside of an option may have. */
export type Members = {
  readonly known: readonly string[]
  /** members that are true or false */
  readonly switches?: readonly string[]
  /** members that are objects themselves */
  readonly inner?: Readonly<Record<string, Members>>
  /** an object with this member is a session request: its form is that of the member `request` in `inner` */
  readonly markOfRequest?: string
  /** a session request, in which unknown members are ignored */
  readonly isRequest?: boolean
}

/** The place of a value: the option with the names of members below it, and a function that writes such a place in words. */
type ValuePath = {
  readonly below: readonly string[]
  readonly inWords: (below: readonly string[]) => string
  readonly isFlag: boolean
}

/** @throws {SettingsError} for the name `__proto__`, under which an object cannot store a value */
export function refuseNameOfPrototype(value: object, place: ValuePath): void {
  if (!Object.hasOwn(value, '__proto__')) return
  const Wrong = place.isFlag ? FlagError : SettingsError
  throw new Wrong(`${place.inWords(place.below)}: expected another name than "__proto__", got that`)
}

/** @throws {SettingsError} about every name that is unknown */
export function refuseUnknownMembers(value: unknown, members: Members, place: ValuePath): void {
  const refused = [...unknownMembers(value, members, place)]
  if (refused.length === 0) return
  throw place.isFlag ? new FlagError(refused) : new SettingsError(refused)
}

function* unknownMembers(value: unknown, members: Members, place: ValuePath): Generator<string> {
  const { known, inner = {}, markOfRequest, isRequest = false } = members
  if (!isObject(value) || isRequest) return
  if (markOfRequest !== undefined && Object.hasOwn(value, markOfRequest)) return
  for (const [name, member] of Object.entries(value)) {
    const form = inner[name]
    if (!known.includes(name))
      yield `${place.inWords(place.below)}: expected members by name, got ${unknown(name, known)}`
    else if (form) yield* unknownMembers(member, form, { ...place, below: [...place.below, name] })
  }
}

function unknown(name: string, known: readonly string[]): string {
  const shown = shownName(name)
  const more = shown === name ? '' : ' (in YAML, a blank stands after the colon)'
  const nearest = nearestName(shown.replace(/\.{3}$/, ''), known)
  return `${JSON.stringify(shown)}, which is unknown; the nearest known one is ${JSON.stringify(nearest)}${more}`
}

/** @returns the part of a name that a message may show. The text after the first character that no name has may be a secret. */
export function shownName(name: string): string {
  const [letters = ''] = /^@?[\w.-]*/.exec(name) ?? []
  return letters === name && name.length <= 80 ? name : `${letters.slice(0, 80)}...`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
