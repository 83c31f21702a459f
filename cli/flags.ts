/** The flags of a server, made from the schema of its settings. @module */
import { type Command, Option } from 'commander'
import { defaultInWords, flagForm, headingOf, meaningOf } from '../server/settings/reference.ts'
import type { OptionList } from '../server/settings/resolve.ts'

function flagFor(list: OptionList, name: string): Option {
  const words = `${meaningOf(list, name)} (default: ${defaultInWords(list, name)})`
  const option = new Option(flagForm(list, name), words).helpGroup(`${headingOf(list, name)}:`)
  option.negate = false // `--no-auth` is an option of that name, not the opposite of `--auth`
  if (list.factsOf(name).form === 'count')
    option.argParser((_text, before: number | undefined) => (before ?? 0) + 1)
  return option
}

export function addServerFlags(command: Command, list: OptionList): void {
  command.option('-c, --config <FILE>', 'settings file: JSON, YAML or TOML')
  for (const name of list.names) command.addOption(flagFor(list, name))
}

/** Text of each flag that was given, by option name. */
export function givenFlags(
  values: Readonly<Record<string, unknown>>,
  list: OptionList,
): Readonly<Record<string, string>> {
  const given = list.names.map(name => [name, values[flagFor(list, name).attributeName()]] as const)
  return Object.fromEntries(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}
