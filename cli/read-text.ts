/** Reads the files that the user names, and standard input. @module */
import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { utf8OrPemOf } from '../ports/utf8.ts'
import { pathFailure } from '../server/files/paths.ts'

/** @param name of the argument, for messages
 *  @throws {Error} with expected and got */
export function readText(name: string, path: string): string {
  return textIn(`${name} ${path}`, contentOf(name, path))
}

/** Reads all of standard input.
 *  @param name of the input, for messages
 *  @throws {Error} with expected and got */
export async function readInput(name: string): Promise<string> {
  return textIn(name, await buffer(process.stdin))
}

function textIn(place: string, content: Buffer): string {
  const text = utf8OrPemOf(content)
  if (text === null) throw new Error(`${place}: expected text in UTF-8, got another`)
  return text
}

function contentOf(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw pathFailure({ what: name, expected: 'a file that can be read', path }, error)
  }
}
