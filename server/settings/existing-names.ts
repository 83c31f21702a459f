/** Names of options and of their members in the settings file of an existing server, which reads them in any case (spec/schemes-and-cli#17.2). @module */
import { SettingsError } from './errors.ts'
import { existingVariable } from './foreign-options.ts'
import { readSettingsJson } from './json.ts'
import type { SettingsFile } from './read-file.ts'
import type { OptionList } from './resolve.ts'
import { SD_JWT_MEMBERS } from './sd-jwt-options.ts'
import { type Members, shownName } from './unknown-names.ts'

type Renamed = { readonly value: Readonly<Record<string, unknown>>; readonly changed: readonly string[] }

/** @returns the file with the names that options have in our server, and a line if names were changed
 *  @throws {SettingsError} for two names that are the same name to the existing server */
export function inKnownNames(
  { names, members, foreign }: Pick<OptionList, 'names' | 'members' | 'foreign'>,
  file: SettingsFile,
): { readonly file: SettingsFile; readonly warnings: readonly string[] } {
  const known = [...names, ...Object.keys({ ...foreign.ignored, ...foreign.refused })]
  const outer = renamed(file.values, known, file.name)
  const changed = [...outer.changed]
  const values = Object.entries(outer.value).map(([option, value]) => {
    const form = Object.hasOwn(members, option) ? members[option] : undefined
    if (option === 'sdjwtvc')
      return [
        option,
        membersOf(value, { known: SD_JWT_MEMBERS }, `${option} in ${file.name}`, changed),
      ] as const
    return [option, form ? entriesOf(value, form, `${option} in ${file.name}`, changed) : value] as const
  })
  if (changed.length === 0) return { file, warnings: [] }
  return {
    file: { ...file, values: Object.fromEntries(values) },
    warnings: [
      `${file.name}: names are read without regard to letter case, as in the existing server: ${changed.join(', ')}`,
    ],
  }
}

/** As `inKnownNames`, for variables whose texts are objects in JSON.
 *  @param texts by option name */
export function textsInKnownNames(
  list: Pick<OptionList, 'names' | 'members' | 'foreign'>,
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const named = Object.entries(texts).map(([option, text]) => {
    const value = objectIn(text)
    if (value === undefined) return [option, text] as const
    const variable = { name: existingVariable(list.foreign, option), values: { [option]: value } }
    const { file, warnings } = inKnownNames(list, variable)
    return [option, warnings.length > 0 ? JSON.stringify(file.values[option]) : text] as const
  })
  return Object.fromEntries(named)
}

/** @returns undefined for a text that is no object in JSON, or has a member twice. The reader of the option refuses such a text. */
function objectIn(text: string): object | undefined {
  try {
    const value = readSettingsJson(text)
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** @param changed receives the names that have another spelling here */
function entriesOf(value: unknown, form: Members, place: string, changed: string[]): unknown {
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(
    ([name, entry]) => [name, membersOf(entry, form, `${shownName(name)} in ${place}`, changed)] as const,
  )
  return Object.fromEntries(entries)
}

function membersOf(
  value: unknown,
  { known, inner = {}, markOfRequest }: Members,
  place: string,
  changed: string[],
): unknown {
  if (!isObject(value)) return value
  if (markOfRequest !== undefined && Object.keys(value).some(name => isSame(name, markOfRequest)))
    return inner.request ? membersOf(value, inner.request, place, changed) : value
  const outer = renamed(value, known, place)
  changed.push(...outer.changed)
  const entries = Object.entries(outer.value).map(([name, member]) => {
    const form = Object.hasOwn(inner, name) ? inner[name] : undefined
    return [name, form ? membersOf(member, form, `${name} of ${place}`, changed) : member] as const
  })
  return Object.fromEntries(entries)
}

function renamed(value: Readonly<Record<string, unknown>>, known: readonly string[], place: string): Renamed {
  const taken: Record<string, unknown> = {}
  const changed: string[] = []
  for (const [name, member] of Object.entries(value)) {
    const meant = known.includes(name) ? name : (known.find(each => isSame(each, name)) ?? name)
    if (Object.hasOwn(taken, meant))
      throw new SettingsError(
        `${place}: expected each name once, without regard to letter case, got ${JSON.stringify(meant)} for the second time`,
      )
    if (meant !== name) changed.push(shownName(name))
    Object.defineProperty(taken, meant, { value: member, enumerable: true }) // also under the name __proto__
  }
  return { value: taken, changed }
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
