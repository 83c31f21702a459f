/** Resolves flags, variables and a file to checked options. A flag overrides a variable, and a variable overrides the file. The file overrides
 *  the default of a production server, and that one overrides the general default. An empty variable counts as not set. Every name must be known (spec/decisions#d29). @module */
import type { z } from 'zod'
import { shownAddress } from '../../protocol/shown-address.ts'
import { checkAll, FlagError, Refusals, SettingsError } from './errors.ts'
import { existingVariable, type ForeignOptions } from './foreign-options.ts'
import type { OptionTraits } from './kinds.ts'
import type { SettingsFile } from './read-file.ts'
import {
  type Members,
  refuseNameOfPrototype,
  refuseUnknownMembers,
  shownName,
  unknownOptions,
} from './unknown-names.ts'
import { fromFile, fromText, switchInFile } from './values.ts'

/** The options of a server as flags, variables, files and texts see them. */
export type OptionList = {
  /** Variables have this name in capitals as a prefix. Settings files and their folders have it too. */
  readonly name: string
  /** the command that runs such a server */
  readonly command: string
  readonly names: readonly string[]
  /** options that hold objects by name, with the permitted members of these objects */
  readonly members: Readonly<Record<string, Members>>
  /** the existing server of this kind */
  readonly foreign: ForeignOptions
  factsOf(name: string): OptionTraits
  /** The value of an option that no source sets. */
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
  /** text of each variable of the existing server that is read, by option name; a variable of this server overrides it */
  readonly there?: Readonly<Record<string, string>>
  readonly file: SettingsFile | undefined
}

export type ResolvedOptions<Values> = { readonly options: Values; readonly warnings: readonly string[] }

export type OptionLookup<Values> = ResolvedOptions<Values> & {
  /** the error that stops the start; null: none */
  readonly refused: Refusals['error']
  /** Options and entries of options (`requestors.shop`) that were refused, and so left out of `options`. */
  readonly unread: readonly string[]
}

type SourceValue = {
  readonly value: unknown
  /** @param below names of members below the option
   *  @returns its place, for messages */
  readonly placeOf: (below: readonly string[]) => string
  readonly isFlag: boolean
}

function given(
  list: OptionList,
  name: string,
  { flags, variables, there = {}, file }: Sources,
): SourceValue | undefined {
  const { form } = list.factsOf(name)
  const [flag, variable] = [flags[name], variables[list.variableOf(name)]]
  if (flag !== undefined) return fromSource(form, flag, `flag ${list.flagOf(name)}`, true)
  if (variable) return fromSource(form, variable, `variable ${list.variableOf(name)}`, false)
  const other = there[name]
  if (other) return fromSource(form, other, `variable ${existingVariable(list.foreign, name)}`, false)
  const written = file?.values[name]
  if (!file || written === undefined || written === null) return undefined
  const { nameOf = (known: string) => known } = file
  const placeOf: SourceValue['placeOf'] = ([entry, ...members]) =>
    `${[nameOf(name), ...(entry === undefined ? [] : [entry]), ...members.map(nameOf)].join('.')} in ${file.name}`
  return readValue(() => ofFile(list, name, written, file), placeOf, false)
}

/** Reads a value of a settings file. Settings that a program passes are returned unchanged, because they already have the right types. */
function ofFile(list: OptionList, name: string, written: unknown, file: SettingsFile): unknown {
  if (file.nameOf !== undefined) return written
  const isYaml = /\.ya?ml$/.test(file.name)
  const { form, words = [] } = list.factsOf(name)
  if (typeof written === 'number' && words.includes(String(written))) return String(written)
  const value = fromFile(form, written, isYaml)
  const switches = list.members[name]?.switches ?? []
  return switches.length === 0 ? value : withSwitches(value, switches, isYaml)
}

/** @returns the same objects by name; in each object, the members named by `switches` are read as switches */
function withSwitches(value: unknown, switches: readonly string[], isYaml: boolean): unknown {
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, entry]) => {
    if (!isObject(entry)) return [name, entry] as const
    const said = switches.filter(each => Object.hasOwn(entry, each))
    const read = said.map(each => [each, switchInFile(entry[each], isYaml)] as const)
    return [name, { ...entry, ...Object.fromEntries(read) }] as const
  })
  return Object.fromEntries(entries)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @throws as `readValue` */
function fromSource(form: OptionTraits['form'], text: string, source: string, isFlag: boolean): SourceValue {
  const placeOf = (below: readonly string[]): string => [source, ...below].join('.')
  return readValue(() => fromText(form, text), placeOf, isFlag)
}

/** @throws {FlagError} @throws {SettingsError} for a text that is not JSON, without quoting a value */
function readValue(read: () => unknown, placeOf: SourceValue['placeOf'], isFlag: boolean): SourceValue {
  try {
    return { value: read(), placeOf, isFlag }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const Wrong = isFlag ? FlagError : SettingsError
    throw new Wrong(`${placeOf([])}: expected JSON, got ${error.message}`)
  }
}

/** Checks every name and value of every source. Refused values are left out, so that later checks can use the others. */
export function lookAtOptions<Values>(
  list: OptionList,
  schema: z.ZodType<Values>,
  sources: Sources,
): OptionLookup<Values> {
  const refusals = new Refusals()
  const warnings = namesOf(list, sources, refusals)
  const unread: string[] = []
  const read = (name: string): SourceValue | undefined => {
    try {
      return given(list, name, sources)
    } catch (error) {
      refusals.add(error)
      unread.push(name)
      return undefined
    }
  }
  const all = new Map(list.names.map(name => [name, read(name)]))
  const misspelt = Object.entries(list.members)
    .filter(([option, members]) => refusals.of(() => refuseUnknownIn(members, all.get(option))) !== true)
    .map(([option]) => option)
  const isProduction = all.get('production')?.value === true
  const values = Object.fromEntries(
    list.names.map(name => [
      name,
      all.get(name)?.value ?? (isProduction ? list.factsOf(name).production : undefined),
    ]),
  )
  const parsed = schema.safeParse(values)
  if (parsed.success) return { options: parsed.data, warnings, refused: refusals.error, unread }
  const { issues } = parsed.error
  for (const issue of issues) {
    // a misspelt member has been refused already: do not also report the right name as missing
    const isMisspelt = misspelt.includes(String(issue.path[0])) && at(values, issue.path) === undefined
    if (!isMisspelt) refusals.add(refusalOf(issue, list, all, values))
  }
  const left = withoutRefused(values, issues, list)
  const options = schema.parse(left.values)
  return { options, warnings, refused: refusals.error, unread: [...unread, ...left.unread] }
}

/** Leaves out refused values. If one entry of an option is refused, its other entries are kept. */
function withoutRefused(
  values: Readonly<Record<string, unknown>>,
  issues: readonly z.core.$ZodIssue[],
  { members }: OptionList,
): { readonly values: Readonly<Record<string, unknown>>; readonly unread: readonly string[] } {
  const left: Record<string, unknown> = { ...values }
  const unread = new Set<string>()
  for (const [option, entry] of issues.map(({ path }) => path.map(String))) {
    if (option === undefined) continue
    const value = left[option]
    const isEntry = entry !== undefined && members[option] !== undefined && isObject(value)
    left[option] = isEntry
      ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== entry))
      : undefined
    unread.add(isEntry ? `${option}.${entry}` : option)
  }
  return { values: left, unread: [...unread] }
}

function refusalOf(
  { path, message }: z.core.$ZodIssue,
  list: OptionList,
  all: ReadonlyMap<string, SourceValue | undefined>,
  values: unknown,
): SettingsError {
  const name = list.names.find(known => known === path[0])
  if (!name) return new SettingsError('settings: expected options by name, got something else')
  const source = all.get(name)
  const Wrong = source?.isFlag ? FlagError : SettingsError
  const place = source?.placeOf(path.slice(1).map(part => shownName(String(part)))) ?? name
  return new Wrong(`${place}: ${message}, got ${shown(values, path, list.factsOf(name))}`)
}

/** The refused value, for a message. For a secret option, a list or an object it is only the type. */
function shown(values: unknown, path: readonly PropertyKey[], { isSecret }: OptionTraits): string {
  const value = at(values, path)
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object') return 'another object'
  if (isSecret)
    return typeof value === 'string' ? 'text that is not shown' : `a ${typeof value} that is not shown`
  return typeof value === 'string' ? shownAddress(value) : String(value)
}

function at(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    values,
  )
}

/** Refuses or ignores the names in each source that no option has.
 *  @returns a line for each ignored name */
function namesOf(
  { names, foreign, flagOf, variableOf }: OptionList,
  { flags, variables, there = {}, file }: Sources,
  refusals: Refusals,
): readonly string[] {
  const prefix = variableOf('')
  const ours = Object.entries(variables).filter(([name, value]) => name.startsWith(prefix) && value)
  const inFile = file?.name ?? ''
  const optionOf = (name: string): string => name
  const places = [
    unknownOptions(flags, names, {
      inWords: 'flags',
      placeOf: name => `flag ${flagOf(name)}`,
      optionOf,
      foreign,
    }),
    unknownOptions(Object.fromEntries(ours), names.map(variableOf), {
      inWords: 'variables',
      placeOf: name => `variable ${name}`,
      optionOf: name => name.slice(prefix.length).toLowerCase(),
      foreign,
    }),
    unknownOptions(there, names, {
      inWords: 'variables',
      placeOf: name => `variable ${existingVariable(foreign, name)}`,
      optionOf,
      foreign,
    }),
    unknownOptions(file?.values ?? {}, names, {
      inWords: inFile,
      placeOf: name => `${name} in ${inFile}`,
      optionOf,
      foreign,
    }),
  ]
  for (const { refused } of places) if (refused.length > 0) refusals.add(new SettingsError(refused))
  return places.flatMap(({ ignored }) => ignored)
}

/** @returns true
 *  @throws {SettingsError} */
function refuseUnknownIn(members: Members, source: SourceValue | undefined): true {
  if (!isObject(source?.value)) return true // the schema refuses a value that is not an object
  const place = { inWords: source.placeOf, isFlag: source.isFlag, below: [] }
  refuseNameOfPrototype(source.value, place)
  checkAll(
    Object.entries(source.value).map(
      ([name, entry]) =>
        () =>
          refuseUnknownMembers(entry, members, { ...place, below: [shownName(name)] }),
    ),
  )
  return true
}
