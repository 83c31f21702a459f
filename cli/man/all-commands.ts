/** Every command with its name path, for output about all commands. @module */
import { type Command, Help } from 'commander'

type Named = { readonly path: string; readonly command: Command }

/** @returns the program itself, and all commands below it */
export function commandsOf(program: Command, path = program.name()): readonly Named[] {
  const below = commandsBelow(program).flatMap(each => commandsOf(each, `${path} ${each.name()}`))
  return [{ path, command: program }, ...below]
}

/** @returns the commands that the help lists */
export function commandsBelow(command: Command): readonly Command[] {
  return new Help().visibleCommands(command).filter(each => each.name() !== 'help')
}
