/** Every mutant of the program: those of the charts, and those of the checks beyond them. @module */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CHARTS, chartMutants } from './chart-mutants.ts'
import { changesOf } from './code-mutants.ts'
import { type Mutant, withUniqueNames } from './mutant.ts'
import { mutatedFiles } from './near.ts'
import { lineOf } from './source-lines.ts'
import { DIST } from './workshop.ts'

export function allMutants(seed: number): Mutant[] {
  return [...Object.keys(CHARTS).flatMap(chart => chartMutants(DIST, chart, seed)), ...codeMutants()]
}

function codeMutants(): Mutant[] {
  return mutatedFiles().flatMap(file => {
    const text = readFileSync(join(DIST, file), 'utf8')
    const source = file.replace(/\.js$/, '.ts')
    const mutants = changesOf(text).map(({ words, edit, node }) => ({
      group: dirname(file),
      name: `${source} ${words}`,
      file,
      line: lineOf(file, text, edit.start),
      edits: [edit],
      site: node,
    }))
    return withUniqueNames(mutants)
  })
}
