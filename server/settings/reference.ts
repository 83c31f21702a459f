/** The options in words, made from their schema: the usage text and docs/options.md say the same because both come from here. @module */
import type { OptionList } from './resolve.ts'

function headOf(list: OptionList): string {
  const { name, command, names, foreign } = list
  const isSwitch = (each: string): boolean => list.factsOf(each).form === 'switch'
  const isOn = (each: string): boolean => isSwitch(each) && list.defaultOf(each) === true
  const onSwitch = list.flagOf(names.find(isOn) ?? names.find(isSwitch) ?? '')
  const prefix = list.variableOf('')
  return `# Options of \`${command}\`

\`${command} options\` prints this page. A flag wins over a variable, a variable over a settings file, and a file over the default.

* In a settings file (\`--config FILE\`; JSON, YAML or TOML) an option has the name below. Without \`--config\`, the server reads the first of \`${name}.json\`,
  \`.toml\`, \`.yaml\`, \`.yml\` that it finds in the working directory, in \`/etc/${name}\` or in \`~/.${name}\`.
* A variable is \`${prefix}\` and the name in capitals: \`${list.variableOf('listen_addr')}\`. An empty variable counts as not set.
* A name that is unknown stops the start, and the message names the nearest known name. This holds for options${andFor(list)}.${foreignInWords(foreign)}
* A duplicate member in an object of a settings file, or of a value in JSON, stops the start. The message names the member or its line.
* In flags and variables, a list is written with commas or blanks, and an object as JSON. A list flag may be repeated. A switch is \`${onSwitch}\` or \`${onSwitch}=false\`; \`1\`, \`t\`, \`T\`, \`True\`, \`TRUE\` mean
  true, and \`0\`, \`f\`, \`F\`, \`False\`, \`FALSE\` mean false, in files too. In YAML, so do \`yes\`, \`on\`, \`no\` and \`off\`.
* A number has decimal digits only: \`0x1F90\` and \`010\` are refused in flags, variables and YAML. TOML has prefixes of its own.
* A start that is refused names every setting that is wrong, a line for each.
`
}

function foreignInWords({ ignored, refused }: OptionList['foreign']): string {
  if (Object.keys(ignored).length === 0) return ''
  return ` Some options exist only in other servers. Most of them are ignored, with one
  line each in the log (${ignoredInWords(Object.keys(ignored))}). Others stop the start when their value asks for something that this server does not do,
  and are ignored otherwise (${inCode(Object.keys(refused))}).`
}

/** @returns the end of a sentence, after "options": the other names that must be known */
function andFor({ members, variableOf }: OptionList): string {
  const variables = `variables that begin with \`${variableOf('')}\``
  const [last, ...others] = Object.keys(members).reverse()
  if (last === undefined) return ` and for ${variables}`
  return `, for ${variables}, and for members of\n  ${inCode(others.reverse())} and ${inCode([last])}`
}

/** The names of ignored options. The many options of Redis are one entry. */
function ignoredInWords(ignored: readonly string[]): string {
  const others = ignored.filter(each => !each.startsWith('redis_'))
  return inCode(others.length === ignored.length ? others : [...others, 'redis_…'])
}

function inCode(names: readonly string[]): string {
  return names.map(name => `\`${name}\``).join(', ')
}

/** Default in words. */
export function defaultInWords(list: OptionList, name: string): string {
  const { defaultWords, production } = list.factsOf(name)
  const words = defaultWords ?? inWords(list.defaultOf(name))
  return production === undefined ? words : `${words}; production: ${inWords(production)}`
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(',')
  return typeof value === 'object' || value === '' ? 'none' : String(value)
}

/** Flag with the form of its value: `-p, --port <N>`. */
export function flagForm(list: OptionList, name: string): string {
  const { form, short, placeholder } = list.factsOf(name)
  const long = short ? `-${short}, ${list.flagOf(name)}` : list.flagOf(name)
  if (form === 'count') return long
  return form === 'switch' ? `${long} [true|false]` : `${long} <${placeholder}>`
}

export function meaningOf(list: OptionList, name: string): string {
  const { description, unit } = list.factsOf(name)
  return unit ? `in ${unit}: ${description}` : description
}

/** @returns Markdown */
export function optionsReference(list: OptionList): string {
  return headOf(list) + [...namesByHeading(list)].map(group => tableOf(list, group)).join('')
}

/** @returns names of options by their heading, in the order of the list */
export function namesByHeading(list: OptionList): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const name of list.names) {
    const heading = headingOf(list, name)
    groups.set(heading, [...(groups.get(heading) ?? []), name])
  }
  return groups
}

export function headingOf(list: OptionList, name: string): string {
  return list.factsOf(name).heading ?? 'Options'
}

function tableOf(list: OptionList, [heading, names]: readonly [string, readonly string[]]): string {
  const rows = names.map(name => [
    `\`${name}\``,
    `\`${flagForm(list, name)}\``,
    defaultInWords(list, name),
    meaningOf(list, name),
  ])
  const inTable = rows.map(row => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |\n`)
  return `
## ${heading}

| Option | Flag | Default | Meaning |
|---|---|---|---|
${inTable.join('')}`
}
