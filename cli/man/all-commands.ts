/** Every command with its words, for what is printed about all of them. @module */
import { type Command, Help } from 'commander'

type Named = { readonly path: string; readonly command: Command }

/** @returns the program itself, and all commands below it */
export function commandsOf(program: Command, path = program.name()): readonly Named[] {
  const below = new Help().visibleCommands(program).filter(each => each.name() !== 'help')
  return [{ path, command: program }, ...below.flatMap(each => commandsOf(each, `${path} ${each.name()}`))]
}
