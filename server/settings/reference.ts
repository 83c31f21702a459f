/** The options in words, made from their schema: the usage text and docs/options.md say the same because both come from here. @module */
import { ignoredNames, refusedNames } from './foreign-options.ts'
import { factsOf, flagOf, type OptionName, optionNames } from './resolve.ts'
import { serverSchema } from './session-server.ts'

const HEAD = `# Options of \`svc server\`

\`svc server options\` prints this page. A flag wins over a variable, a variable over a settings file, and a file over the default.

* In a settings file (\`--config FILE\`; JSON, YAML or TOML) an option has the name below. Without \`--config\`, the server reads the first of \`svcserver.json\`,
  \`.toml\`, \`.yaml\`, \`.yml\` that it finds in the working directory, in \`/etc/svcserver\` or in \`~/.svcserver\`.
* A variable is \`SVCSERVER_\` and the name in capitals: \`SVCSERVER_LISTEN_ADDR\`. An empty variable counts as not set.
* A name that is unknown stops the start, and the message says the nearest name that is known. This holds for options, for variables that begin with \`SVCSERVER_\`, and for members of
  \`requestors\`, \`revocation_settings\` and \`static_sessions\`. Some options exist only in other servers. Most of them are ignored, with one
  line in the log (${inCode(ignoredNames.filter(name => !name.startsWith('redis_')))}, \`redis_…\`). Others stop the start when their value asks for something that this server does not do,
  and are ignored otherwise (${inCode(refusedNames)}).
* A member that stands twice in an object of a settings file or of a value in JSON stops the start, and the message names it or its line.
* In flags and variables, a list is written with commas, and an object as JSON. A switch is \`--no-auth\` or \`--no-auth=false\`.

| Option | Flag | Default | Meaning |
|---|---|---|---|
`

function inCode(names: readonly string[]): string {
  return names.map(name => `\`${name}\``).join(', ')
}

/** Default in words. */
export function defaultOf(name: OptionName): string {
  const { defaultWords, production } = factsOf(name)
  const words = defaultWords ?? inWords(serverSchema.shape[name].parse(undefined))
  return production === undefined ? words : `${words}; production: ${inWords(production)}`
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(',')
  return typeof value === 'object' || value === '' ? 'none' : String(value)
}

/** Flag with the form of its value: `-p, --port <N>`. */
export function flagForm(name: OptionName): string {
  const { form, short, placeholder } = factsOf(name)
  const long = short ? `-${short}, ${flagOf(name)}` : flagOf(name)
  if (form === 'count') return long
  return form === 'switch' ? `${long} [true|false]` : `${long} <${placeholder}>`
}

export function meaningOf(name: OptionName): string {
  const { description, unit } = factsOf(name)
  return unit ? `${description}, in ${unit}` : description
}

/** @returns Markdown */
export function optionsReference(): string {
  const rows = optionNames.map(name => [
    `\`${name}\``,
    `\`${flagForm(name)}\``,
    defaultOf(name),
    meaningOf(name),
  ])
  return HEAD + rows.map(row => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |\n`).join('')
}
