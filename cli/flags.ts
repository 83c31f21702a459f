/** The flags of `svc server`, made from the schema of its settings. @module */
import { type Command, Option } from 'commander'
import { defaultOf, flagForm, meaningOf } from '../server/settings/reference.ts'
import { factsOf, type OptionName, optionNames } from '../server/settings/resolve.ts'

function flagFor(name: OptionName): Option {
  const option = new Option(flagForm(name), `${meaningOf(name)} (default: ${defaultOf(name)})`)
  option.negate = false // `--no-auth` is an option of that name, not the opposite of `--auth`
  if (factsOf(name).form === 'count')
    option.argParser((_text, before: number | undefined) => (before ?? 0) + 1)
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
