/** From flags, variables and a file to checked options: flag over variable over file over the default of a production server over the
 *  default. An empty variable counts as not set; unknown names in a file, and unknown members of requestors, are reported, not refused. @module */

import { FlagError, SettingsError } from './errors.ts'
import { type Facts, facts } from './kinds.ts'
import type { SettingsFile } from './read-file.ts'
import { type OptionValues, requestorMembers, revocationMembers, serverSchema } from './schema.ts'

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

type Given = { readonly value: unknown; readonly origin: string }

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
      return jsonOr(text)
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text // not JSON: the schema says what it expected
  }
}

function given(name: OptionName, { flags, variables, file }: Sources): Given | undefined {
  const { form } = factsOf(name)
  const flag = flags[name]
  if (flag !== undefined) return { value: fromText(form, flag), origin: `flag ${flagOf(name)}` }
  const variable = variables[variableOf(name)]
  if (variable) return { value: fromText(form, variable), origin: `variable ${variableOf(name)}` }
  const value = file?.values[name]
  if (file && value !== undefined && value !== null) return { value, origin: `${name} in ${file.name}` }
  return undefined
}

/** @throws {FlagError} @throws {SettingsError} that names option and source, with expected and got */
export function resolveOptions(sources: Sources): Resolved {
  const all = new Map(optionNames.map(name => [name, given(name, sources)]))
  const isProduction = all.get('production')?.value === true
  const values = Object.fromEntries(
    optionNames.map(name => [
      name,
      all.get(name)?.value ?? (isProduction ? factsOf(name).production : undefined),
    ]),
  )
  const parsed = serverSchema.safeParse(values)
  if (parsed.success)
    return {
      options: parsed.data,
      warnings: [
        ...unknownNames(sources),
        ...unknownMembers('requestors', values.requestors, requestorMembers),
        ...unknownMembers('revocation_settings', values.revocation_settings, revocationMembers),
      ],
    }
  const issue = parsed.error.issues[0]
  const name = optionNames.find(known => known === issue?.path[0])
  if (!issue || !name) throw new SettingsError('settings: expected options by name, got something else')
  const origin = all.get(name)?.origin ?? name
  const inner = issue.path
    .slice(1)
    .map(part => `.${String(part)}`)
    .join('')
  const Wrong = sources.flags[name] === undefined ? SettingsError : FlagError
  throw new Wrong(`${origin}${inner}: ${issue.message}, got ${shown(values, issue.path, name)}`)
}

/** The refused value; of a secret option only its type. */
function shown(values: unknown, path: readonly PropertyKey[], name: OptionName): string {
  const value = path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    values,
  )
  if (value === undefined) return 'nothing'
  return factsOf(name).isSecret ? `another ${typeof value}` : JSON.stringify(value).slice(0, 80)
}

function unknownNames({ file }: Sources): readonly string[] {
  const known: readonly string[] = optionNames
  return Object.keys(file?.values ?? {})
    .filter(name => !known.includes(name))
    .map(name => `${file?.name}: the option ${JSON.stringify(name)} is unknown and ignored`)
}

/** A permission whose name is misspelled is a permission that is not there. */
function unknownMembers(option: OptionName, values: unknown, known: readonly string[]): readonly string[] {
  return Object.entries({ ...(typeof values === 'object' && values) }).flatMap(([name, given]) =>
    Object.keys({ ...(typeof given === 'object' && given) })
      .filter(member => !known.includes(member))
      .map(member => `${option}.${name}: the member ${JSON.stringify(member)} is unknown and ignored`),
  )
}
