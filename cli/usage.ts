/** How every command answers its caller: help on standard output with code 0; wrong usage on standard error with code 255, followed by the
 *  usage; a failure in one line on standard error with code 1. @module */
import { Command, CommanderError } from 'commander'

const OK = 0
const FAILURE = 1
const WRONG_USAGE = 255

export class SvcCommand extends Command {
  override createCommand(name?: string): SvcCommand {
    return new SvcCommand(name)
  }

  /** A group without a command asks for help: that is no mistake. */
  override help(): never {
    return super.help()
  }
}

export function createProgram(): SvcCommand {
  const program = new SvcCommand('svc')
  program.exitOverride().showHelpAfterError()
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
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`svc: ${message.replaceAll(/\s*\n\s*/g, ' ')}\n`)
    return FAILURE
  }
}
