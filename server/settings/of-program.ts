/** Options that a program gives by their names in TypeScript (`maxStreams`, `requestors.shop.authMethod`): the same that a settings file holds by theirs.
 *  @module */
import type { z } from 'zod'
import { type CamelCase, camelCase } from './camel-case.ts'
import { SettingsError } from './errors.ts'
import type { KeyshareOptionShape } from './keyshare-server.ts'
import type { SettingsFile } from './read-file.ts'
import type { OptionList } from './resolve.ts'
import type { SessionOptionShape } from './session-server.ts'
import { type Members, refuseUnknownMembers, shownName, unknownOptions } from './unknown-names.ts'

/** The type of an option in a program. Names of requestors and of credential types stay as they are, and so do the members of a session request. */
type InProgram<Value> =
  Value extends Readonly<Record<string, infer Entry extends object>>
    ? string extends keyof Value
      ? { readonly [Name in string]: NamedInProgram<Entry> }
      : never
    : Value

type NamedInProgram<Values> = {
  readonly [Name in keyof Values as CamelCase<Name & string>]: Values[Name]
}

type OptionsOfProgram<Written> = {
  readonly [Name in keyof Written & string as CamelCase<Name>]?: InProgram<Exclude<Written[Name], undefined>>
}

/** Every option of docs/options.md: `max_streams` is `maxStreams` here. */
export type SessionServerOptions = OptionsOfProgram<z.input<z.ZodObject<SessionOptionShape>>>

/** Every option of docs/keyshare-options.md, by the same rule. */
export type KeyshareServerOptions = OptionsOfProgram<z.input<z.ZodObject<KeyshareOptionShape>>>

/** @throws {SettingsError} about every name that is unknown, with the nearest one */
export function settingsOfProgram(
  options: SessionServerOptions | KeyshareServerOptions,
  { names, members }: Pick<OptionList, 'names' | 'members'>,
): SettingsFile {
  const inWords = 'options'
  refuseHiddenMembers(options, inWords)
  const { refused } = unknownOptions({ ...options }, names.map(camelCase), {
    inWords,
    placeOf: name => name,
    optionOf: name => name,
    foreign: { ignored: {}, refused: {} },
  })
  if (refused.length > 0) throw new SettingsError(refused)
  const values = Object.entries(options).map(([name, value]) => {
    const option = asWritten(name, names)
    const form = members[option]
    return [option, form ? entriesOf(name, value, form) : value] as const
  })
  return { name: inWords, values: Object.fromEntries(values), nameOf: camelCase }
}

function asWritten(name: string, known: readonly string[]): string {
  return known.find(each => camelCase(each) === name) ?? name
}

/** @returns the same entries, with the names of their members as a file has them */
function entriesOf(option: string, value: unknown, { known, ...form }: Members): unknown {
  if (!isObject(value)) return value
  refuseHiddenMembers(value, `${option} in options`)
  const named = Object.entries(value).map(([name, entry]) => {
    if (!isObject(entry)) return [name, entry] as const
    const place = {
      below: [option, shownName(name)],
      isFlag: false,
      inWords: (below: readonly string[]) => `${below.join('.')} in options`,
    }
    refuseHiddenMembers(entry, place.inWords(place.below))
    refuseUnknownMembers(entry, { ...form, known: known.map(camelCase) }, place)
    const members = Object.entries(entry).map(([member, inner]) => [asWritten(member, known), inner] as const)
    return [name, Object.fromEntries(members)] as const
  })
  return Object.fromEntries(named)
}

/** Refuses an object whose entries would be ignored in silence: a `Map`, a list, or one with a prototype. A requestor or a permission could get lost with them.
 *  @throws {SettingsError} if the value is no plain object */
function refuseHiddenMembers(value: unknown, place: string): void {
  const got = value === null || value === undefined ? String(value) : Array.isArray(value) ? 'a list' : null
  if (got === null && isPlain(Object(value))) return
  throw new SettingsError(`${place}: expected a plain object, got ${got ?? 'another one'}`)
}

/** True for a plain object of any realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
