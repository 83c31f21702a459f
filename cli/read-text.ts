/** Files that a command was told to read. @module */
import { readFileSync } from 'node:fs'

/** @param what names the argument, for messages
 *  @throws {Error} that says expected and got */
export function readText(what: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new Error(`${what}: expected a file that can be read, got ${file}${code}`, { cause: error })
  }
}
