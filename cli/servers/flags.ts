/** The flags of a server, made from the schema of its settings. @module */
import { type Command, Option } from 'commander'
import { defaultInWords, flagForm, headingOf, meaningOf } from '../../server/settings/reference.ts'
import type { OptionList } from '../../server/settings/resolve.ts'

function flagFor(list: OptionList, name: string): Option {
  const words = `${meaningOf(list, name)} (default: ${defaultInWords(list, name)})`
  const option = new Option(flagForm(list, name), words).helpGroup(`${headingOf(list, name)}:`)
  option.negate = false // `--no-auth` is an option of that name, not the negation of `--auth`
  const { form } = list.factsOf(name)
  if (form === 'count') option.argParser((_text, before: number | undefined) => (before ?? 0) + 1)
  // a list given twice has the entries of both
  if (form === 'list')
    option.argParser((text, before: string | undefined) =>
      before === undefined ? text : `${before},${text}`,
    )
  return option
}

/** A hidden flag of the existing server. It is accepted here too, or refused with a reason. */
function foreignFlagFor({ foreign, flagOf }: OptionList, name: string): Option {
  const short = foreign.shortFlags[name]
  const option = new Option(`${short ? `-${short}, ` : ''}${flagOf(name)} [VALUE]`).hideHelp()
  option.negate = false
  return option
}

function foreignNames({ foreign, names }: OptionList): readonly string[] {
  return Object.keys({ ...foreign.ignored, ...foreign.refused }).filter(name => !names.includes(name))
}

export function addServerFlags(command: Command, list: OptionList): void {
  command.option('-c, --config <FILE>', 'settings file: JSON, YAML or TOML')
  for (const name of list.names) command.addOption(flagFor(list, name))
  for (const name of foreignNames(list)) command.addOption(foreignFlagFor(list, name))
}

/** Text of each given flag, by option name; flags of the existing server included. */
export function givenFlags(
  values: Readonly<Record<string, unknown>>,
  list: OptionList,
): Readonly<Record<string, string>> {
  const given = [
    ...list.names.map(name => [name, values[flagFor(list, name).attributeName()]] as const),
    ...foreignNames(list).map(name => [name, values[foreignFlagFor(list, name).attributeName()]] as const),
  ]
  return Object.fromEntries(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}
