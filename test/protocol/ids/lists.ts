/** The lists of identifiers of this folder: one a line, `#` starts a comment. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../../project.ts'

export function linesOf(name: string): string[] {
  const text = readFileSync(join(PROJECT, 'test/protocol/ids', `${name}.txt`), 'utf8')
  return text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
}
