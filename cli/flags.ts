/** The flags of `svc server`, made from the schema of its settings. @module */
import { type Command, Option } from 'commander'
import { factsOf, flagOf, type OptionName, optionNames } from './settings/resolve.ts'
import { serverSchema } from './settings/schema.ts'

/** Default in words, for the usage text and the reference. */
export function defaultOf(name: OptionName): string {
  const { defaultWords, production, unit } = factsOf(name)
  const words = defaultWords ?? inWords(serverSchema.shape[name].parse(undefined))
  const withUnit = unit && !defaultWords ? `${words} ${unit}` : words
  return production === undefined ? withUnit : `${withUnit}; production: ${inWords(production)}`
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(',')
  return typeof value === 'object' || value === '' ? 'none' : String(value)
}

function flagFor(name: OptionName): Option {
  const { form, short, description, placeholder, unit } = factsOf(name)
  const long = short ? `-${short}, ${flagOf(name)}` : flagOf(name)
  const value = form === 'switch' ? ' [true|false]' : form === 'count' ? '' : ` <${placeholder}>`
  const words = [description, unit && `in ${unit}`].filter(Boolean).join(', ')
  const option = new Option(long + value, `${words} (default: ${defaultOf(name)})`)
  option.negate = false // `--no-auth` is an option of that name, not the opposite of `--auth`
  if (form === 'count') option.argParser((_text, before: number | undefined) => (before ?? 0) + 1)
  return option
}

export function addServerFlags(command: Command): void {
  command.option('-c, --config <FILE>', 'settings file: JSON, YAML or TOML')
  for (const name of optionNames) command.addOption(flagFor(name))
}

/** Text of each flag that was given, by option name. */
export function givenFlags(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const given = optionNames.map(name => [name, values[flagFor(name).attributeName()]] as const)
  return Object.fromEntries(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}
