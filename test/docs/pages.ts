/** The pages for readers, in the order in which the README leads to them. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../project.ts'
import { linksOf } from './markdown.ts'

export const README = 'README.md'

export function textOf(file: string): string {
  return readFileSync(join(PROJECT, file), 'utf8')
}

/** The pages whose commands a test runs: the README and the pages that it links to, if they have a block of `sh`. Pages of docs/spec are left out, because
 *  their blocks are messages and formulas. */
export function pagesWithCommands(): readonly string[] {
  const linked = linksOf(textOf(README)).filter(file => /^docs\/(?!spec\/).*\.md$/.test(file))
  return [README, ...linked].filter(file => /^```sh\b/m.test(textOf(file)))
}
