/** Flags of the existing commands that mean nothing here. Scripts that pass them continue to work; the help does not list them. @module */
import { type Command, Option } from 'commander'

/** @param flags as commander writes them: `-v, --verbose` */
export function ignoreFlags(command: Command, flags: readonly string[]): Command {
  for (const flag of flags) {
    const option = new Option(flag).hideHelp()
    command.addOption(option.required || option.optional ? option : option.argParser(() => true))
  }
  return command
}
