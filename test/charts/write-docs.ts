/** `npm run docs`: lays out the charts and writes the files that are generated from them. @module */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../project.ts'
import { ALL_CHARTS, layoutFile, layoutSource, pagesOf } from './generated.ts'
import { layOut } from './lay-out.ts'

function write(file: string, text: string): void {
  writeFileSync(join(PROJECT, file), text)
  console.log(file)
}

mkdirSync(join(PROJECT, 'docs/charts'), { recursive: true })
for (const chart of ALL_CHARTS) {
  const layout = await layOut(chart)
  write(layoutFile(chart), layoutSource(chart, layout))
  for (const [file, text] of pagesOf(chart, layout)) write(file, text)
}
const biome = join(PROJECT, 'node_modules/.bin/biome')
execFileSync(biome, ['format', '--write', ...ALL_CHARTS.map(layoutFile)], { cwd: PROJECT })
