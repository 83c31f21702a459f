/** Output and exit codes of every command (docs/command-line.md). Help: standard output, code 0. Wrong usage: two lines on standard error, code 255. Failure: one
 *  line on standard error, code 1. Output closed by its reader: no message, code 141. @module */
import { Command, CommanderError } from 'commander'
import { inOneLine } from '../protocol/text-scanning.ts'
import { SettingsError } from '../server/settings/errors.ts'

const OK = 0
const FAILURE = 1
const WRONG_USAGE = 255
/** The exit code that shells report for a program ended by SIGPIPE. */
const NO_READER = 141

/** A failure that is already in the log, for operators who read only the log. */
export class LoggedError extends Error {
  override readonly name = 'LoggedError'
}

class SvcCommand extends Command {
  override createCommand(name?: string): SvcCommand {
    return new SvcCommand(name)
  }

  /** A group without a command prints its help, without an error. */
  override help(): never {
    return super.help()
  }

  /** Prints a reference to the help instead of the help, which would hide the error. */
  override error(message: string, options?: Parameters<Command['error']>[1]): never {
    return super.error(
      `${message.replace('\n(Did you mean', ' (Did you mean')}\nSee ${pathOf(this)} --help.`,
      options,
    )
  }
}

/** A hidden command with the name of the existing server. It fails with the name that this program uses.
 *  @param here name in this program */
export function defineOtherWord(group: Command, word: string, here: string): void {
  const command = group.command(word, { hidden: true }).allowUnknownOption().allowExcessArguments()
  command.action(() => group.error(`error: expected ${here}, got ${pathOf(command)}`))
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

/** A note in the help of a command below a group: the options of the group apply too, but are not listed. */
function optionsOfGroup(command: Command): string {
  const { parent: group } = command
  if (!group?.parent || group.options.length === 0 || command.commands.length > 0) return ''
  return `\nThe options of ${pathOf(group)} apply here too: see ${pathOf(group)} --help.`
}

export function createProgram(): SvcCommand {
  const program = new SvcCommand('svc')
  program
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 a failure, 141 nobody reads the output any more, 255 wrong usage.',
    )
  program.addHelpText('afterAll', ({ command }) => optionsOfGroup(command))
  program.configureOutput({ outputError: (text, write) => write(text.replace(/^error:/, 'Error:')) })
  return program
}

/** @returns the exit code */
export async function runProgram(program: Command, words: readonly string[]): Promise<number> {
  try {
    await program.parseAsync([...words], { from: 'user' })
    return OK
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? OK : WRONG_USAGE
    if (!(error instanceof LoggedError))
      for (const line of failureInLines(error)) process.stderr.write(`svc: ${line}\n`)
    return FAILURE
  }
}

/** @returns a line for each refused setting, or one line for any other failure */
export function failureInLines(error: unknown): readonly string[] {
  if (error instanceof SettingsError) return error.reasons.map(inOneLine)
  return [failureInOneLine(error)]
}

function failureInOneLine(error: unknown): string {
  return inOneLine(error instanceof Error ? error.message : String(error))
}

/** Ends `svc ... | head -1` without a message after the reader closed the output. Any other write error, such as a full disk, is a failure. */
export function endWhenOutputFails(streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(NO_READER)
      if (stream !== process.stderr) process.stderr.write(`svc: ${failureInOneLine(error)}\n`)
      process.exit(FAILURE)
    })
}
