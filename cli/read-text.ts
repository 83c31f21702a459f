/** Reads the files that the user names. @module */
import { readFileSync } from 'node:fs'
import { utf8OrPemOf } from '../ports/utf8.ts'
import { pathFailure } from '../server/files/paths.ts'

/** @param name of the argument, for messages
 *  @throws {Error} with expected and got */
export function readText(name: string, path: string): string {
  const text = utf8OrPemOf(contentOf(name, path))
  if (text === null) throw new Error(`${name} ${path}: expected text in UTF-8, got another`)
  return text
}

function contentOf(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw pathFailure({ what: name, expected: 'a file that can be read', path }, error)
  }
}
