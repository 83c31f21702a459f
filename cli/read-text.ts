/** Reads the files that the user names. @module */
import { readFileSync } from 'node:fs'
import { pathFailure } from '../server/files/paths.ts'

/** @param what name of the argument, for messages
 *  @throws {Error} with expected and got */
export function readText(what: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw pathFailure({ what, expected: 'a file that can be read', path }, error)
  }
}
