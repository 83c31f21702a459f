/** Reads the lists of identifiers in this folder. A list has one identifier per line, and `#` starts a comment. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../../project.ts'

export function linesOf(name: string): string[] {
  const text = readFileSync(join(PROJECT, 'test/protocol/ids', `${name}.txt`), 'utf8')
  return text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
}
