/** Files that a command was told to read. @module */
import { readFileSync } from 'node:fs'
import { pathFailure } from '../server/files/paths.ts'

/** @param what names the argument, for messages
 *  @throws {Error} that says expected and got */
export function readText(what: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw pathFailure({ what, expected: 'a file that can be read', path }, error)
  }
}
