/** The common part of the programs that maintainers start: a wrong option gives one line, and no stack. @module */

/** An option with an impossible value. */
export class WrongOptionError extends Error {
  override readonly name = 'WrongOptionError'
}

/** @param name at the beginning of the line
 *  @param run also reads the options */
export async function runProgram(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!isAboutOptions(error)) throw error
    console.error(`${name}: ${error.message}`)
    process.exitCode = 1
  }
}

/** True for a wrong value (`WrongOptionError`), and for an option that `parseArgs` refuses. */
function isAboutOptions(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return error instanceof WrongOptionError || ('code' in error && /^ERR_PARSE_ARGS_/.test(String(error.code)))
}

/** @param option in the form that the user writes: `--seed`, or the name of a variable
 *  @throws {WrongOptionError} */
export function wholeNumber(option: string, text: string, least: 0 | 1): number {
  if (!/^\d+$/.test(text) || Number(text) < least)
    throw new WrongOptionError(`${option}: expected a whole number from ${least} on, got "${text}"`)
  return Number(text)
}
