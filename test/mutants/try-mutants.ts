/** Tries mutants, a few at a time: each is put into a copy of the program, and the tests near it run until one fails. @module */
import type { Baseline } from './baseline.ts'
import { placeName } from './baseline.ts'
import { SERVER_MACHINES } from './chart-mutants.ts'
import { inTurns } from './in-turns.ts'
import type { Mutant } from './mutant.ts'
import { distanceOf } from './near.ts'
import { type FirstFailure, runTests } from './run-tests.ts'
import { Workshop } from './workshop.ts'

/** What became of a mutant. */
export type Tried = {
  readonly name: string
  /** the first test that failed; null: it survived */
  readonly killedBy: FirstFailure
  readonly ms: number
}

/** The order of the tests near a file, by how many of its mutants each has killed. */
export class Killers {
  readonly #kills: Map<string, Map<string, number>>

  /** @param first by source file, the test files that are tried first */
  constructor(first: Readonly<Record<string, readonly string[]>>) {
    this.#kills = new Map(
      Object.entries(first).map(([file, tests]) => [
        file,
        new Map(tests.map((test, i) => [test, tests.length - i])),
      ]),
    )
  }

  note(file: string, test: string): void {
    const kills = this.#kills.get(file) ?? new Map<string, number>()
    this.#kills.set(file, kills.set(test, (kills.get(test) ?? 0) + 1))
  }

  killsOf(file: string, test: string): number {
    return this.#kills.get(file)?.get(test) ?? 0
  }

  /** By source file, its best killers. */
  best(perFile: number): Record<string, string[]> {
    const files = [...this.#kills].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(
      files.map(([file, kills]) => [
        file,
        [...kills]
          .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
          .slice(0, perFile)
          .map(([test]) => test),
      ]),
    )
  }
}

/** The test files that may find a mutant, the most promising first, as many as take `maxMs` without it.
 *  @param baseline which tests pass and what they reach; null: nobody has looked, only the known killers are named */
export function testsFor(
  { file, site }: Mutant,
  candidates: readonly string[],
  baseline: Baseline | null,
  killers: Killers,
  maxMs: number,
): string[] {
  const source = file.replace(SERVER_MACHINES, 'machines')
  const place = site && placeName(file, site)
  const near = candidates.filter(test => {
    if (distanceOf(source, test) === Number.POSITIVE_INFINITY) return false
    const tested = baseline?.get(test)
    if (!tested) return killers.killsOf(source, test) > 0
    const reaches = (name: string): boolean =>
      place === null ? name.startsWith(`${source}:`) : name === place
    return tested.failure === null && tested.reached.some(reaches)
  })
  const rank = (test: string): number => distanceOf(source, test) * 1e6 + (baseline?.get(test)?.ms ?? 0)
  const ordered = near.sort(
    (a, b) => killers.killsOf(source, b) - killers.killsOf(source, a) || rank(a) - rank(b),
  )
  let left = maxMs
  return ordered.filter(test => {
    left -= baseline?.get(test)?.ms ?? 0
    return left > 0
  })
}

export type Means = {
  readonly candidates: readonly string[]
  readonly baseline: Baseline | null
  readonly killers: Killers
  readonly processes: number
  /** the longest time that the tests near one mutant take without it */
  readonly maxMs: number
  readonly note: (mutant: Mutant, tried: Tried) => void
}

export async function tryMutants(mutants: readonly Mutant[], means: Means): Promise<void> {
  const isOfChart = ({ file }: Mutant): boolean => file.startsWith(SERVER_MACHINES)
  for (const isOfCharts of [true, false]) {
    const wanted = mutants.filter(mutant => isOfChart(mutant) === isOfCharts)
    if (wanted.length === 0) continue
    const workshops = Array.from({ length: means.processes }, () => new Workshop(isOfCharts))
    try {
      await inTurns(wanted, means.processes, async (mutant, slot) => {
        const workshop = workshops[slot]
        if (workshop) means.note(mutant, await tryOne(workshop, mutant, means))
      })
    } finally {
      for (const workshop of workshops) workshop[Symbol.dispose]()
    }
  }
}

async function tryOne(
  workshop: Workshop,
  mutant: Mutant,
  { candidates, baseline, killers, maxMs }: Means,
): Promise<Tried> {
  const begin = performance.now()
  const tests = testsFor(mutant, candidates, baseline, killers, maxMs)
  workshop.put(mutant)
  const killedBy = tests.length === 0 ? null : await runTests(workshop.folder, tests)
  workshop.restore(mutant)
  const test = tests.find(each => killedBy?.startsWith(each))
  if (test !== undefined) killers.note(mutant.file.replace(SERVER_MACHINES, 'machines'), test)
  return { name: mutant.name, killedBy, ms: performance.now() - begin }
}
