/** Examples in the help of a command. A test reads each of them with the definitions of the commands. @module */
import type { Command } from 'commander'

/** Column at which the words about a line begin. */
const WORDS_AT = 36

/** @param examples each command line with a description of its effect
 *  @returns the command */
export function addExamples(command: Command, examples: Readonly<Record<string, string>>): Command {
  const lines = Object.entries(examples).map(([line, words]) => {
    const start = `  ${line}`
    return start.length + 2 <= WORDS_AT
      ? `${start.padEnd(WORDS_AT)}${words}`
      : `${start}\n${' '.repeat(WORDS_AT)}${words}`
  })
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}
