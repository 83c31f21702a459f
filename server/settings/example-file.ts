/** A settings file with every option of a server, each as a comment with its meaning and its default. @module */
import { defaultInWords, meaningOf, namesByHeading } from './reference.ts'
import type { OptionList } from './resolve.ts'

/** @returns YAML. The file has no effect as it is, and none if every "#" before an option is removed, because each value is the default */
export function exampleFile(list: OptionList): string {
  const { name, command } = list
  const head = `# Settings of \`${command}\`: every option, with its meaning and its default. Take the "#" away before those that you change.
# The server reads this file with --config FILE, or without a flag as ${name}.yml in the working directory or in /etc/${name}.
# \`${command} check --config FILE\` says what is wrong in it, and \`${command} options --format yaml\` prints it as it was.
`
  const groups = [...namesByHeading(list)].map(([heading, names]) => {
    const options = names.map(each => optionInYaml(list, each))
    return `\n\n# ${heading}\n# ${'-'.repeat(heading.length)}\n\n${options.join('\n')}`
  })
  return head + groups.join('')
}

function optionInYaml(list: OptionList, name: string): string {
  const { defaultWords, production } = list.factsOf(name)
  const said = defaultWords === undefined && production === undefined
  const words = said ? '' : ` (default: ${defaultInWords(list, name)})`
  return `# ${meaningOf(list, name)}${words}\n#${name}: ${JSON.stringify(list.defaultOf(name))}\n`
}
