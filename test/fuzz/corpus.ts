/** Kept inputs in `test/attacks/corpus/`: each has shown a fault, or reaches code that few inputs reach. Every run tries them first. @module */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../project.ts'
import type { Input } from './target.ts'

export const CORPUS = join(PROJECT, 'test/attacks/corpus')

export type CorpusInput = {
  /** name of its target */
  readonly target: string
  /** the fault that it has shown */
  readonly why: string
  readonly input: Input
}

export type KeptFile = CorpusInput & { readonly file: string }

export function keptInputs(folder = CORPUS): readonly KeptFile[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(file => ({ ...keptOf(file, readFileSync(join(folder, file), 'utf8')), file }))
}

function keptOf(file: string, text: string): CorpusInput {
  const { target, why, input } = JSON.parse(text)
  if (typeof target !== 'string' || typeof why !== 'string' || input === undefined)
    throw new Error(`${file}: expected the members target, why and input`)
  return { target, why, input }
}

/** @returns the name of the file */
export function keep(kept: CorpusInput, folder = CORPUS): string {
  mkdirSync(folder, { recursive: true })
  const hash = createHash('sha256').update(JSON.stringify(kept.input)).digest('hex').slice(0, 8)
  const file = `${kept.target.replaceAll(/[^\w.-]/g, '-')}-${hash}.json`
  writeFileSync(join(folder, file), `${JSON.stringify(kept, null, 2)}\n`)
  return file
}
