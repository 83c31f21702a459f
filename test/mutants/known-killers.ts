/** By source file, the tests that killed most of its mutants in a whole run: they are tried first. `npm run mutants -- --write` writes them. @module */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PROJECT } from '../project.ts'

export const KILLERS = join(PROJECT, 'test/mutants/killers.json')

const known = z.record(z.string(), z.array(z.string()))

export function readKillers(): Readonly<Record<string, readonly string[]>> {
  return existsSync(KILLERS) ? known.parse(JSON.parse(readFileSync(KILLERS, 'utf8'))) : {}
}
