/** The pages for readers, in the order in which the README leads to them. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../project.ts'
import { linksOf } from './markdown.ts'

export const README = 'README.md'

export function textOf(file: string): string {
  return readFileSync(join(PROJECT, file), 'utf8')
}

/** Their commands are run. The page of rows that a test run writes, and the list of options that a command prints, have none. The pages of docs/spec show
 *  messages and formulas, and no commands for a reader to run. */
export function pagesWithCommands(): readonly string[] {
  const linked = linksOf(textOf(README)).filter(file => /^docs\/(?!spec\/).*\.md$/.test(file))
  return [README, ...linked].filter(file => /^```sh\b/m.test(textOf(file)))
}
