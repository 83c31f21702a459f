/** The pictures of the pages that `npm run pictures` takes, and the files that determine each of them. A picture is too old when one of its files has changed. @module */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PROJECT } from '../../project.ts'

/** Files and folders of the project, by the path of the picture. */
const SOURCES = {
  'docs/tour.png': ['demo/page', 'demo/steps.ts', 'demo/site-words.ts'],
  'docs/inspector.png': ['http/inspector/page', 'machines/session.ts'],
} as const
export type Picture = keyof typeof SOURCES
export const PICTURES = Object.keys(SOURCES) as readonly Picture[] // they are its keys

/** Holds the hash of the sources at the time of each picture. */
export const TAKEN_FILE = join(PROJECT, 'docs/pictures.json')

export function readTaken(): Readonly<Record<string, string>> {
  return z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(TAKEN_FILE, 'utf8')))
}

/** @returns SHA-256 in hexadecimal, over names and contents */
export function hashOfSources(picture: Picture): string {
  const hash = createHash('sha256')
  for (const file of SOURCES[picture].flatMap(filesIn))
    hash.update(`${file}\0`).update(readFileSync(join(PROJECT, file)))
  return hash.digest('hex')
}

function filesIn(path: string): readonly string[] {
  if (statSync(join(PROJECT, path)).isFile()) return [path]
  return readdirSync(join(PROJECT, path))
    .toSorted()
    .map(name => `${path}/${name}`)
}
