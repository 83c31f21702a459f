/** From flags, variables and a file to checked options: flag over variable over file over the default of a production server over the
 *  default. An empty variable counts as not set. Every name must be known (decision D29). @module */
import type { z } from 'zod'
import { shownAddress } from '../../protocol/shown-address.ts'
import { FlagError, SettingsError } from './errors.ts'
import type { ForeignOptions } from './foreign-options.ts'
import { readSettingsJson } from './json.ts'
import type { Facts } from './kinds.ts'
import type { SettingsFile } from './read-file.ts'
import {
  type Members,
  refuseNameOfPrototype,
  refuseUnknownMembers,
  refuseUnknownOptions,
  shownName,
} from './unknown-names.ts'

/** The options of a server as flags, variables, files and texts see them. */
export type OptionList = {
  /** In capitals it begins the names of variables; settings files have it, and the folders in which these are looked for. */
  readonly name: string
  /** the command that runs such a server */
  readonly command: string
  readonly names: readonly string[]
  /** options that hold objects by name, with what each of these objects may hold */
  readonly members: Readonly<Record<string, Members>>
  /** the existing server of this kind */
  readonly foreign: ForeignOptions
  factsOf(name: string): Facts
  /** The value where nothing is said. */
  defaultOf(name: string): unknown
  /** @returns the option's name in flags, `--max-streams` */
  flagOf(name: string): string
  /** @returns the option's name in variables, `SVCSERVER_MAX_STREAMS` */
  variableOf(name: string): string
}

export type Sources = {
  /** text of each flag that was given, by option name */
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly file: SettingsFile | undefined
}

export type Resolved<Values> = { readonly options: Values; readonly warnings: readonly string[] }

type Given = {
  readonly value: unknown
  /** @param below names of members below the option
   *  @returns where that stands, for messages */
  readonly placeOf: (below: readonly string[]) => string
  readonly isFlag: boolean
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

function given(list: OptionList, name: string, { flags, variables, file }: Sources): Given | undefined {
  const { form } = list.factsOf(name)
  const [flag, variable] = [flags[name], variables[list.variableOf(name)]]
  if (flag !== undefined) return fromSource(form, flag, `flag ${list.flagOf(name)}`, true)
  if (variable) return fromSource(form, variable, `variable ${list.variableOf(name)}`, false)
  const value = file?.values[name]
  if (!file || value === undefined || value === null) return undefined
  const { nameOf = (known: string) => known } = file
  const placeOf: Given['placeOf'] = ([entry, ...members]) =>
    `${[nameOf(name), ...(entry === undefined ? [] : [entry]), ...members.map(nameOf)].join('.')} in ${file.name}`
  return { value, placeOf, isFlag: false }
}

/** @throws {FlagError} @throws {SettingsError} for a text that is not JSON, without quoting a value */
function fromSource(form: Facts['form'], text: string, source: string, isFlag: boolean): Given {
  const placeOf = (below: readonly string[]): string => [source, ...below].join('.')
  try {
    return { value: fromText(form, text), placeOf, isFlag }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const Wrong = isFlag ? FlagError : SettingsError
    throw new Wrong(`${source}: expected JSON, got ${error.message}`)
  }
}

/** @throws {FlagError} @throws {SettingsError} that names option and source, with expected and got */
export function resolveOptions<Values>(
  list: OptionList,
  schema: z.ZodType<Values>,
  sources: Sources,
): Resolved<Values> {
  const warnings = refuseUnknownNames(list, sources)
  const all = new Map(list.names.map(name => [name, given(list, name, sources)]))
  for (const [option, members] of Object.entries(list.members)) refuseUnknownIn(members, all.get(option))
  const isProduction = all.get('production')?.value === true
  const values = Object.fromEntries(
    list.names.map(name => [
      name,
      all.get(name)?.value ?? (isProduction ? list.factsOf(name).production : undefined),
    ]),
  )
  const parsed = schema.safeParse(values)
  if (parsed.success) return { options: parsed.data, warnings }
  const issue = parsed.error.issues[0]
  const name = list.names.find(known => known === issue?.path[0])
  if (!issue || !name) throw new SettingsError('settings: expected options by name, got something else')
  const source = all.get(name)
  const Wrong = source?.isFlag ? FlagError : SettingsError
  const place = source?.placeOf(issue.path.slice(1).map(part => shownName(String(part)))) ?? name
  throw new Wrong(`${place}: ${issue.message}, got ${shown(values, issue.path, list.factsOf(name))}`)
}

/** The refused value; of a secret option, and of one that may hold anything, only its type. */
function shown(values: unknown, path: readonly PropertyKey[], { isSecret }: Facts): string {
  const value = path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    values,
  )
  if (value === undefined) return 'nothing'
  if (isSecret || typeof value === 'object' || typeof value === 'function') return `another ${typeof value}`
  return typeof value === 'string' ? shownAddress(value) : String(value)
}

/** @returns what is ignored, a line for each
 *  @throws {SettingsError} */
function refuseUnknownNames(list: OptionList, { variables, file }: Sources): readonly string[] {
  const { names, foreign } = list
  const prefix = list.variableOf('')
  const ours = Object.entries(variables).filter(([name, value]) => name.startsWith(prefix) && value)
  const ignoredVariables = refuseUnknownOptions(Object.fromEntries(ours), names.map(list.variableOf), {
    inWords: 'variables',
    placeOf: name => `variable ${name}`,
    optionOf: name => name.slice(prefix.length).toLowerCase(),
    foreign,
  })
  const inFile = file?.name ?? ''
  const ignoredInFile = refuseUnknownOptions(file?.values ?? {}, names, {
    inWords: inFile,
    placeOf: name => `${name} in ${inFile}`,
    optionOf: name => name,
    foreign,
  })
  return [...ignoredVariables, ...ignoredInFile]
}

/** @throws {SettingsError} */
function refuseUnknownIn(members: Members, source: Given | undefined): void {
  if (source === undefined || typeof source.value !== 'object' || source.value === null) return
  if (Array.isArray(source.value)) return // the schema refuses it
  const place = { inWords: source.placeOf, isFlag: source.isFlag, below: [] }
  refuseNameOfPrototype(source.value, place)
  for (const [name, entry] of Object.entries(source.value))
    refuseUnknownMembers(entry, members, { ...place, below: [shownName(name)] })
}
