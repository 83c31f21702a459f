/** The settings file of an existing server, which is known by its name (`irmaserver.yml`), and its variables (spec/schemes-and-cli#17.2). The web sites
 *  and wallet apps of such a file rely on the defaults of that server. Each difference is one line in the log. @module */
import { basename, extname } from 'node:path'
import { SettingsError } from './errors.ts'
import type { SettingsFile } from './read-file.ts'
import type { OptionList, Sources } from './resolve.ts'
import { shownName } from './unknown-names.ts'

type Existing = Pick<OptionList, 'foreign' | 'variableOf'>

/** @returns the same sources, with the file as the existing server would read it, and what is to be known of that
 *  @throws {SettingsError} for two names that are one there */
export function readAsThere(
  { foreign, variableOf }: Existing,
  sources: Sources,
): { readonly sources: Sources; readonly warnings: readonly string[] } {
  const { flags, variables, file } = sources
  const unread = unreadVariables({ foreign, variableOf }, variables)
  if (file === undefined || !isOfExisting(file, foreign)) return { sources, warnings: unread }
  const lacking = Object.entries(foreign.defaults).filter(
    ([option]) => flags[option] === undefined && !variables[variableOf(option)] && !isSaid(file, option),
  )
  const small = foreign.inSmallLetters.map(option => inSmallLetters(file, option))
  const values = Object.assign(
    { ...file.values },
    Object.fromEntries(lacking),
    ...small.map(each => each.values),
  )
  const taken = lacking.map(
    ([option, value]) =>
      `${option}: ${value}, because nothing says another one and ${file.name} has the name of a settings file of ${foreign.name}`,
  )
  return {
    sources: { ...sources, file: { ...file, values } },
    warnings: [...unread, ...taken, ...small.flatMap(({ warnings }) => warnings)],
  }
}

/** A file under another name is read as any settings file, in which the profile of the existing wallet apps and web sites must be written.
 *  @returns a line if the file looks like one of the existing server and the profile is another */
export function otherNameWarning(
  { foreign, variableOf }: Existing,
  { flags, variables, file }: Sources,
): readonly string[] {
  if (file === undefined || isOfExisting(file, foreign)) return []
  const profile = flags.profile ?? (variables[variableOf('profile')] || file.values.profile)
  const marks = marksOf(foreign, file.values)
  if ((profile ?? 'svc') !== 'svc' || marks.length === 0) return []
  return [
    `${file.name} looks like a settings file of ${foreign.name} (${marks.join(', ')}), but "profile" is svc: for the web sites and wallet apps of that server write "profile: irma"`,
  ]
}

/** Names that a settings file for this server would not have. */
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

/** Without this, an operator would not notice that `IRMASERVER_PRODUCTION` has no effect. */
function unreadVariables({ foreign, variableOf }: Existing, variables: Sources['variables']): string[] {
  const prefix = `${foreign.name}_`.toUpperCase()
  return Object.entries(variables)
    .filter(([name, value]) => name.startsWith(prefix) && value)
    .map(([name]) => {
      const option = shownName(name.slice(prefix.length)).toLowerCase()
      return `variable ${shownName(name)}: not read; this server reads ${variableOf(option)}`
    })
}

/** The existing server writes these names in small letters when it reads them in a file, so that back ends and printed codes have them so. */
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
      `${option} in ${file}: expected names that differ in more than capital letters, got ${JSON.stringify(shownName(twice))} for the second time`,
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
