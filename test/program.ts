/** What the programs that maintainers start have in common: an option that is wrong is said in one line, and not by a stack. @module */

/** An option that cannot be meant. */
export class WrongOption extends Error {
  override readonly name = 'WrongOption'
}

/** @param name what the line begins with
 *  @param run reads the options as well */
export async function runProgram(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!isAboutOptions(error)) throw error
    console.error(`${name}: ${error.message}`)
    process.exitCode = 1
  }
}

/** Options that nobody knows are found by `parseArgs`. */
function isAboutOptions(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return error instanceof WrongOption || ('code' in error && /^ERR_PARSE_ARGS_/.test(String(error.code)))
}

/** @param option as whoever starts the program writes it: `--seed`, or the name of a variable
 *  @throws {WrongOption} */
export function wholeNumber(option: string, text: string, least: 0 | 1): number {
  if (!/^\d+$/.test(text) || Number(text) < least)
    throw new WrongOption(`${option}: expected a whole number from ${least} on, got "${text}"`)
  return Number(text)
}
