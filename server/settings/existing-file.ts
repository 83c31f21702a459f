/** The settings file of an existing server, which is known by its name (`irmaserver.yml`), and its variables (spec/schemes-and-cli#17.2). The web sites
 *  and wallet apps of such a file rely on the defaults of that server. Each difference is one line in the log. @module */
import { basename, extname } from 'node:path'
import { SettingsError } from './errors.ts'
import { inKnownNames, textsInKnownNames } from './existing-names.ts'
import { readExistingVariables, unreadVariables } from './existing-variables.ts'
import type { SettingsFile } from './read-file.ts'
import type { OptionList, Sources } from './resolve.ts'
import { shownName } from './unknown-names.ts'

type Existing = Pick<OptionList, 'names' | 'members' | 'foreign' | 'variableOf'>

/** @returns the same sources, with file and variables as the existing server would read them, and a warning about each difference
 *  @throws {SettingsError} for two names that are the same name to the existing server */
export function readWithExisting(
  list: Existing,
  sources: Sources,
): { readonly sources: Sources; readonly warnings: readonly string[] } {
  const { foreign } = list
  const { variables, file } = sources
  const isItsFile = file !== undefined && isOfExisting(file, foreign)
  if (!isItsFile && profileIn(list, sources) !== foreign.defaults.profile)
    return { sources, warnings: unreadVariables(list, variables) }
  const there = readExistingVariables(list, variables)
  const named = isItsFile ? inKnownNames(list, file) : { file, warnings: [] }
  const given = { ...sources, file: named.file, there: textsInKnownNames(list, there.values) }
  const warnings = [...there.warnings, ...named.warnings]
  if (named.file === undefined || !isItsFile) return withDefaults(list, given, warnings)
  const own = named.file
  const small = foreign.inSmallLetters.map(option => inSmallLetters(own, option))
  const values = Object.assign({ ...own.values }, ...small.map(each => each.values))
  return withDefaults(list, { ...given, file: { ...own, values } }, [
    ...warnings,
    ...small.flatMap(each => each.warnings),
  ])
}

/** Adds the defaults of the existing server, if its file or a variable of it is read. */
function withDefaults(
  { foreign, variableOf }: Existing,
  sources: Sources,
  warnings: readonly string[],
): ReturnType<typeof readWithExisting> {
  const { flags, variables, file, there = {} } = sources
  const isItsFile = file !== undefined && isOfExisting(file, foreign)
  if (!isItsFile && Object.keys(there).length === 0) return { sources, warnings }
  const lacking = Object.entries(foreign.defaults).filter(
    ([option]) =>
      flags[option] === undefined &&
      !variables[variableOf(option)] &&
      !there[option] &&
      !(file && isSaid(file, option)),
  )
  const cause = isItsFile
    ? `${file.name} has the name of a settings file of ${foreign.name}`
    : `variables of ${foreign.name} are read`
  const taken = lacking.map(
    ([option, value]) => `${option}: ${value}, because no setting gives another one and ${cause}`,
  )
  const values = { ...file?.values, ...Object.fromEntries(lacking) }
  return {
    sources: { ...sources, file: { name: 'the defaults', ...file, values } },
    warnings: [...taken, ...warnings],
  }
}

function profileIn(
  { variableOf }: Pick<Existing, 'variableOf'>,
  { flags, variables, file }: Sources,
): unknown {
  return flags.profile ?? (variables[variableOf('profile')] || file?.values.profile)
}

/** Warns about a settings file of an existing server that was renamed. A file under another name is read as a file of our own, so it must name the profile `irma`.
 *  @returns a line if the file looks like one of the existing server and the profile is svc */
export function otherNameWarning(
  { foreign, variableOf }: Pick<Existing, 'foreign' | 'variableOf'>,
  sources: Sources,
): readonly string[] {
  const { file } = sources
  if (file === undefined || isOfExisting(file, foreign)) return []
  const profile = profileIn({ variableOf }, sources)
  const marks = marksOf(foreign, file.values)
  if ((profile ?? 'svc') !== 'svc' || marks.length === 0) return []
  return [
    `${file.name} looks like a settings file of ${foreign.name} (${marks.join(', ')}), but "profile" is svc: for the web sites and wallet apps of that server write "profile: irma"`,
  ]
}

/** The signs that a file was written for the existing server: options that only that server has, and its path in `url`. */
function marksOf({ ignored, refused }: Existing['foreign'], values: SettingsFile['values']): string[] {
  const names = Object.keys(values).filter(
    name => Object.hasOwn(ignored, name) || Object.hasOwn(refused, name),
  )
  const isItsUrl = typeof values.url === 'string' && /\/irma\/?$/.test(values.url)
  return [...names, ...(isItsUrl ? ['"/irma" at the end of "url"'] : [])]
}

function isOfExisting({ name }: SettingsFile, foreign: Existing['foreign']): boolean {
  return basename(name, extname(name)) === foreign.name
}

function isSaid({ values }: SettingsFile, option: string): boolean {
  return values[option] !== undefined && values[option] !== null
}

/** Changes the names in an option to small letters. The existing server does so when it reads a file, so back ends and printed codes use the small letters. */
function inSmallLetters(
  { name: file, values }: SettingsFile,
  option: string,
): { readonly values: Readonly<Record<string, unknown>>; readonly warnings: readonly string[] } {
  const value = values[option]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { values: {}, warnings: [] }
  const names = Object.keys(value)
  const twice = names.find((name, at) => names.findIndex(each => isSameThere(each, name)) < at)
  if (twice !== undefined)
    throw new SettingsError(
      `${option} in ${file}: expected each name once, without regard to letter case, got ${JSON.stringify(shownName(twice))} for the second time`,
    )
  const entries = Object.entries(value).map(([name, entry]) => [name.toLowerCase(), entry] as const)
  const warnings = names
    .filter(name => name !== name.toLowerCase())
    .map(
      name =>
        `${option}.${shownName(name)} in ${file}: known as ${JSON.stringify(shownName(name).toLowerCase())}, as in every server that reads this file`,
    )
  return { values: { [option]: Object.fromEntries(entries) }, warnings }
}

function isSameThere(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
