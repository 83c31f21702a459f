/** Flags of the existing commands that no command here has. The help does not list them. @module */
import { type Command, InvalidArgumentError, Option } from 'commander'

/** Flags that mean nothing here: scripts that pass them continue to work.
 *  @param flags as commander writes them: `-v, --verbose` */
export function ignoreFlags(command: Command, flags: readonly string[]): Command {
  for (const flag of flags) {
    const option = new Option(flag).hideHelp()
    command.addOption(option.required || option.optional ? option : option.argParser(() => true))
  }
  return command
}

/** A flag that asks for something that is not done here.
 *  @param flag with an optional value, as commander writes it: `-f, --force [BOOL]`
 *  @param instead what to do here */
export function refuseFlag(command: Command, flag: string, instead: string): Command {
  const option = new Option(flag).hideHelp().argParser(() => {
    throw new InvalidArgumentError(`Not supported here: ${instead}.`)
  })
  return command.addOption(option.preset('true'))
}
