/** The manual page in the language of man(7), generated from the definitions of the commands. @module */
import { type Command, Help } from 'commander'
import { commandsOf } from './all-commands.ts'

export function manPage(program: Command, version: string): string {
  const [, ...commands] = commandsOf(program)
  return `.TH SVC 1 "" "svc ${inRoff(version)}" "Attribute session service"
.SH NAME
svc \\- servers for selectively disclosed attributes, and tools around them
.SH SYNOPSIS
.B svc
.I COMMAND
.RI [ FLAGS ]
.SH DESCRIPTION
Results go to standard output; logs, errors and the QR code of a session go to standard error.
.SH COMMANDS
${commands.map(({ path, command }) => commandInRoff(path, command)).join('')}.SH EXIT STATUS
0 is success, 1 a failure, 141 says that nobody reads the output any more, 255 that the command was called in a wrong way.
`
}

function commandInRoff(path: string, command: Command): string {
  const help = new Help()
  const flags = help.visibleOptions(command).filter(({ long }) => long !== '--help')
  const items = [
    ...help.visibleArguments(command).map(each => item(each.name(), each.description)),
    ...flags.map(flag => item(flag.flags, help.optionDescription(flag))),
  ]
  return `.SS ${inRoff(`${path} ${command.usage()}`)}\n${inRoff(command.description())}\n${items.join('')}`
}

function item(head: string, words: string): string {
  return `.TP\n.B ${inRoff(head)}\n${inRoff(words) || '\\&'}\n`
}

/** Escapes a text. A line that begins with a dot or an apostrophe would be a request to man. */
function inRoff(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-')
  return escaped.replace(/^(?=[.'])/gm, '\\&')
}
