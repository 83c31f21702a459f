/** Tries mutants, a few at a time: each is put into a copy of the program, and the tests near it run until one fails. @module */
import { type Baseline, placeName, sourceOf } from './baseline.ts'
import { SERVER_MACHINES } from './chart-mutants.ts'
import { inTurns } from './in-turns.ts'
import type { Killers } from './known-killers.ts'
import type { Mutant } from './mutant.ts'
import { distanceOf } from './near.ts'
import { type FirstFailure, runTests } from './run-tests.ts'
import { Workshop } from './workshop.ts'

/** The outcome of a mutant. */
export type Tried = {
  readonly name: string
  /** the first test that failed; null if it survived */
  readonly killedBy: FirstFailure
  readonly ms: number
}

/** The test files that may find a mutant, the most promising first, as many as take `maxMs` without it.
 *  @param baseline the passing tests and the places that they reach; null if unknown, in which case the known killers of the file suffice, if it has some */
export function testsFor(
  { file, site }: Pick<Mutant, 'file' | 'site'>,
  candidates: readonly string[],
  baseline: Baseline | null,
  killers: Killers,
  maxMs: number,
): string[] {
  const source = sourceOf(file)
  const place = site && placeName(file, site)
  const kills = (test: string): number => killers.killsOf(source, test)
  const isNear = (test: string): boolean => distanceOf(source, test) < Number.POSITIVE_INFINITY
  const reaches = (name: string): boolean => (place === null ? name.startsWith(`${source}:`) : name === place)
  const near = candidates.filter(isNear).filter(test => {
    const tested = baseline?.get(test)
    return !tested || (tested.failure === null && tested.reached.some(reaches))
  })
  const gain = (test: string): number => kills(test) / (STARTUP_MS + msOf(baseline, test))
  const rank = (test: string): number => distanceOf(source, test) * FAR + msOf(baseline, test)
  const ordered = near.sort((a, b) => gain(b) - gain(a) || rank(a) - rank(b))
  const known = ordered.filter(test => kills(test) > 0)
  if (baseline === null && known.length > 0) return known
  let left = maxMs
  return ordered.filter(test => {
    left -= msOf(baseline, test)
    return left > 0
  })
}

/** The time of a process with an empty test. */
const STARTUP_MS = 500
/** A time that no test exceeds. */
const FAR = 1e9

function msOf(baseline: Baseline | null, test: string): number {
  return baseline?.get(test)?.ms ?? 0
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
  killers.noteFailure(mutant.file, killedBy)
  return { name: mutant.name, killedBy, ms: performance.now() - begin }
}
