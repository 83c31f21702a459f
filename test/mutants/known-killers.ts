/** For each source file, the tests that killed most of its mutants in a whole run. They are tried first. `npm run mutants -- --write` writes them. @module */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PROJECT } from '../project.ts'
import { sourceOf } from './baseline.ts'
import type { FirstFailure } from './run-tests.ts'

export const KILLERS = join(PROJECT, 'test/mutants/killers.json')

const known = z.record(z.string(), z.array(z.string()))

export function readKillers(): Readonly<Record<string, readonly string[]>> {
  return existsSync(KILLERS) ? known.parse(JSON.parse(readFileSync(KILLERS, 'utf8'))) : {}
}

/** The number of mutants of each file that each test has killed. */
export class Killers {
  readonly #kills: Map<string, Map<string, number>>

  /** @param first for each source file, the test files that are tried first */
  constructor(first: Readonly<Record<string, readonly string[]>>) {
    this.#kills = new Map(
      Object.entries(first).map(([file, tests]) => [
        file,
        new Map(tests.map((test, i) => [test, tests.length - i])),
      ]),
    )
  }

  /** @param file the mutated one
   *  @param killedBy the first failure; it begins with the test file if a test failed */
  noteFailure(file: string, killedBy: FirstFailure): void {
    const [test] = killedBy?.match(/^[\w/.-]+\.test\.[jt]s/) ?? []
    if (test !== undefined) this.#note(sourceOf(file), test)
  }

  #note(file: string, test: string): void {
    const kills = this.#kills.get(file) ?? new Map<string, number>()
    this.#kills.set(file, kills.set(test, (kills.get(test) ?? 0) + 1))
  }

  killsOf(file: string, test: string): number {
    return this.#kills.get(file)?.get(test) ?? 0
  }

  /** For each source file, every test that killed one of its mutants, the best first. */
  listed(): Record<string, string[]> {
    const files = [...this.#kills].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(
      files.map(([file, kills]) => [
        file,
        [...kills].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([test]) => test),
      ]),
    )
  }
}
