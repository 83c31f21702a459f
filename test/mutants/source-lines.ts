/** The line in the TypeScript source for a place in a built file, by the compiler's source map. @module */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { DIST } from './workshop.ts'

const maps = new Map<string, SourceMap>()

export function lineOf(file: string, text: string, position: number): number | null {
  const before = text.slice(0, position).split('\n')
  const entry = mapOf(file).findEntry(before.length - 1, before.at(-1)?.length ?? 0)
  return 'originalLine' in entry ? entry.originalLine + 1 : null
}

function mapOf(file: string): SourceMap {
  const map = maps.get(file) ?? new SourceMap(JSON.parse(readFileSync(join(DIST, `${file}.map`), 'utf8')))
  maps.set(file, map)
  return map
}
