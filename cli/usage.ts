/** How every command answers its caller (docs/command-line.md): help on standard output with code 0; wrong usage in two lines on standard error with
 *  code 255; a failure in one line on standard error with code 1; a reader of the output who has gone, with no word and code 141. @module */
import { Command, CommanderError } from 'commander'
import { inOneLine } from '../protocol/text-scanning.ts'
import { SettingsError } from '../server/settings/errors.ts'

const OK = 0
const FAILURE = 1
const WRONG_USAGE = 255
/** The exit code that a shell gives for a program that the signal SIGPIPE has ended. */
const NO_READER = 141

/** A failure that the log has said already, as whoever reads nothing but the log must find it there. */
export class SaidInLog extends Error {
  override readonly name = 'SaidInLog'
}

class SvcCommand extends Command {
  override createCommand(name?: string): SvcCommand {
    return new SvcCommand(name)
  }

  /** A group without a command asks for help: that is no mistake. */
  override help(): never {
    return super.help()
  }

  /** The help itself would push the error out of sight. */
  override error(message: string, options?: Parameters<Command['error']>[1]): never {
    return super.error(
      `${message.replace('\n(Did you mean', ' (Did you mean')}\nSee ${pathOf(this)} --help.`,
      options,
    )
  }
}

/** A word of the existing server for what has another name here: it is in no help, and whoever says it reads that name.
 *  @param here what the same is here */
export function defineOtherWord(group: Command, word: string, here: string): void {
  const command = group.command(word, { hidden: true }).allowUnknownOption().allowExcessArguments()
  command.action(() => group.error(`error: expected ${here}, got ${pathOf(command)}`))
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

/** A command below a group takes the options of the group, which its own help does not list. */
function optionsOfGroup(command: Command): string {
  const { parent: group } = command
  if (!group?.parent || group.options.length === 0 || command.commands.length > 0) return ''
  return `\nThe options of ${pathOf(group)} hold here too: see ${pathOf(group)} --help.`
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
    if (!(error instanceof SaidInLog))
      for (const line of failureInLines(error)) process.stderr.write(`svc: ${line}\n`)
    return FAILURE
  }
}

/** @returns a line for each refused setting; one line for every other failure */
export function failureInLines(error: unknown): readonly string[] {
  if (error instanceof SettingsError) return error.reasons.map(inOneLine)
  return [failureInOneLine(error)]
}

function failureInOneLine(error: unknown): string {
  return inOneLine(error instanceof Error ? error.message : String(error))
}

/** `svc ... | head -1` ends without a word once nobody reads what it writes; output that cannot be written, as to a disk that is full, is a failure. */
export function endWhenOutputFails(streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(NO_READER)
      if (stream !== process.stderr) process.stderr.write(`svc: ${failureInOneLine(error)}\n`)
      process.exit(FAILURE)
    })
}
