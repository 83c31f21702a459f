/** From flags, variables and a file to checked options: flag over variable over file over the default of a production server over the
 *  default. An empty variable counts as not set. Every name must be known (decision D29). @module */
import { shownAddress } from '../../protocol/shown-address.ts'
import { FlagError, SettingsError } from './errors.ts'
import { readSettingsJson } from './json.ts'
import { type Facts, facts } from './kinds.ts'
import type { SettingsFile } from './read-file.ts'
import { MEMBERS, type OptionValues, serverSchema } from './session-server.ts'
import {
  refuseNameOfPrototype,
  refuseUnknownMembers,
  refuseUnknownOptions,
  shownName,
} from './unknown-names.ts'

const VARIABLE_PREFIX = 'SVCSERVER_'

export type OptionName = keyof typeof serverSchema.shape

export const optionNames = Object.keys(serverSchema.shape) as readonly OptionName[] // the keys of a literal, which Object.keys widens

export type Sources = {
  /** text of each flag that was given, by option name */
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly file: SettingsFile | undefined
}

export type Resolved = { readonly options: OptionValues; readonly warnings: readonly string[] }

type Given = {
  readonly value: unknown
  /** @param below names of members below the option, each with a dot before it
   *  @returns where that stands, for messages */
  readonly placeOf: (below: string) => string
  readonly isFlag: boolean
}

export function factsOf(name: OptionName): Facts {
  const found = facts.get(serverSchema.shape[name])
  if (!found) throw new Error(`option ${name}: expected facts beside its schema, got none`)
  return found
}

export function flagOf(name: OptionName): string {
  return `--${name.replaceAll('_', '-')}`
}

export function variableOf(name: OptionName): string {
  return VARIABLE_PREFIX + name.toUpperCase()
}

/** A value written as text; what cannot be read stays text, and the schema refuses it. */
function fromText(form: Facts['form'], text: string): unknown {
  switch (form) {
    case 'text':
      return text
    case 'switch':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'number':
    case 'count':
      return /^\d+$/.test(text) ? Number(text) : text
    case 'list':
      return text === '' ? [] : text.split(',')
    case 'json':
      return readSettingsJson(text)
  }
}

function given(name: OptionName, { flags, variables, file }: Sources): Given | undefined {
  const [flag, variable] = [flags[name], variables[variableOf(name)]]
  if (flag !== undefined) return fromSource(name, flag, `flag ${flagOf(name)}`, true)
  if (variable) return fromSource(name, variable, `variable ${variableOf(name)}`, false)
  const value = file?.values[name]
  if (!file || value === undefined || value === null) return undefined
  return { value, placeOf: below => `${name}${below} in ${file.name}`, isFlag: false }
}

/** @throws {FlagError} @throws {SettingsError} for a text that is not JSON, without quoting a value */
function fromSource(name: OptionName, text: string, source: string, isFlag: boolean): Given {
  const placeOf = (below: string): string => `${source}${below}`
  try {
    return { value: fromText(factsOf(name).form, text), placeOf, isFlag }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const Wrong = isFlag ? FlagError : SettingsError
    throw new Wrong(`${source}: expected JSON, got ${error.message}`)
  }
}

/** @throws {FlagError} @throws {SettingsError} that names option and source, with expected and got */
export function resolveOptions(sources: Sources): Resolved {
  const warnings = refuseUnknownNames(sources)
  const all = new Map(optionNames.map(name => [name, given(name, sources)]))
  for (const option of OPTIONS_BY_NAME) refuseUnknownIn(option, all.get(option))
  const isProduction = all.get('production')?.value === true
  const values = Object.fromEntries(
    optionNames.map(name => [
      name,
      all.get(name)?.value ?? (isProduction ? factsOf(name).production : undefined),
    ]),
  )
  const parsed = serverSchema.safeParse(values)
  if (parsed.success) return { options: parsed.data, warnings }
  const issue = parsed.error.issues[0]
  const name = optionNames.find(known => known === issue?.path[0])
  if (!issue || !name) throw new SettingsError('settings: expected options by name, got something else')
  const below = issue.path
    .slice(1)
    .map(part => `.${shownName(String(part))}`)
    .join('')
  const source = all.get(name)
  const Wrong = source?.isFlag ? FlagError : SettingsError
  const place = source?.placeOf(below) ?? name
  throw new Wrong(`${place}: ${issue.message}, got ${shown(values, issue.path, name)}`)
}

/** The refused value; of a secret option, and of one that may hold anything, only its type. */
function shown(values: unknown, path: readonly PropertyKey[], name: OptionName): string {
  const value = path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    values,
  )
  if (value === undefined) return 'nothing'
  if (factsOf(name).isSecret || typeof value === 'object') return `another ${typeof value}`
  return typeof value === 'string' ? shownAddress(value) : JSON.stringify(value)
}

/** @returns what is ignored, a line for each source
 *  @throws {SettingsError} */
function refuseUnknownNames({ variables, file }: Sources): readonly string[] {
  const ours = Object.entries(variables).filter(([name, value]) => name.startsWith(VARIABLE_PREFIX) && value)
  const ignoredVariables = refuseUnknownOptions(Object.fromEntries(ours), optionNames.map(variableOf), {
    inWords: 'variables',
    placeOf: name => `variable ${name}`,
    optionOf: name => name.slice(VARIABLE_PREFIX.length).toLowerCase(),
  })
  const inFile = file?.name ?? ''
  const ignoredInFile = refuseUnknownOptions(file?.values ?? {}, optionNames, {
    inWords: inFile,
    placeOf: name => `${name} in ${inFile}`,
    optionOf: name => name,
  })
  return [...ignoring('variables', ignoredVariables), ...ignoring(inFile, ignoredInFile)]
}

function ignoring(where: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${where}: ignored, because this server needs no ${names.join(', ')}`]
}

const OPTIONS_BY_NAME = ['requestors', 'revocation_settings', 'static_sessions'] as const

/** @throws {SettingsError} */
function refuseUnknownIn(option: (typeof OPTIONS_BY_NAME)[number], source: Given | undefined): void {
  if (source === undefined || typeof source.value !== 'object' || source.value === null) return
  const place = { inWords: source.placeOf, isFlag: source.isFlag, below: '' }
  refuseNameOfPrototype(source.value, place)
  for (const [name, entry] of Object.entries(source.value))
    refuseUnknownMembers(entry, MEMBERS[option], { ...place, below: `.${shownName(name)}` })
}
