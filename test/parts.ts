/** The parts of the tests, which `npm test` and `npm run test:...` run. `test/parts.json` lists the folders and files of each part, and its duration. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PROJECT } from './project.ts'

const schema = z.record(
  z.string(),
  z.strictObject({
    /** duration on two quiet cores, with Node 24 */
    seconds: z.number(),
    /** folders and files below test/; the longest path that fits a file decides */
    paths: z.array(z.string()).readonly(),
  }),
)
export type Parts = z.output<typeof schema>

export const PARTS: Parts = schema.parse(JSON.parse(readFileSync(join(PROJECT, 'test/parts.json'), 'utf8')))

/** @param file source of a test, below test/
 *  @returns the name of its part, or undefined if no path fits */
export function partOf(file: string, parts = PARTS): string | undefined {
  const fitting = Object.entries(parts).flatMap(([part, { paths }]) =>
    paths.filter(path => file === path || file.startsWith(`${path}/`)).map(path => ({ part, path })),
  )
  return fitting.sort((a, b) => b.path.length - a.path.length)[0]?.part
}

export type Choice = {
  /** Words choose the files whose paths contain one of the words, of every part. */
  readonly words: readonly string[]
  /** Without words, the parts choose. No part means all files. */
  readonly parts: readonly string[]
  /** parts that are left out */
  readonly without: readonly string[]
  /** Folders and files whose paths begin so are left out, also those that a word or a part chooses. */
  readonly except: readonly string[]
}

/** @returns the word that chooses the files of this path, which may also begin at the root of the project or name a built file */
export function wordOf(path: string): string {
  return path.replace(/^(?:\.\/)?(?:(?:dist\/)?test\/)?/, '').replace(/\.js$/, '.ts')
}

/** @param file source of a test, below test/ */
export function isChosen(file: string, { words, parts, without, except }: Choice, all = PARTS): boolean {
  if (except.some(path => file.startsWith(path))) return false
  if (words.length > 0) return words.some(word => file.includes(word))
  const part = partOf(file, all) ?? ''
  return (parts.length === 0 || parts.includes(part)) && !without.includes(part)
}
