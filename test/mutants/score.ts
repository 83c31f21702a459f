/** The share of mutants that tests have found, by chart and by folder. Mutants that are listed as equal do not count. @module */
import { equalLine } from './equal.ts'
import type { Mutant } from './mutant.ts'
import type { Tried } from './try-mutants.ts'

/** The least share that must be found, for each chart, and for the checks beyond the charts. */
const LEAST_PERCENT = 95

const BEYOND = 'beyond the charts'

type MutantOutcome = 'killed' | 'survived' | 'equal'
type Counts = Readonly<Record<MutantOutcome, number>>
type Judged = { readonly mutant: Mutant; readonly tried: Tried; readonly outcome: MutantOutcome }

export function scoreLines(
  mutants: readonly Mutant[],
  results: ReadonlyMap<string, Tried>,
  equal = equalLine,
): { readonly lines: readonly string[]; readonly isGood: boolean } {
  const judged = mutants.flatMap((mutant): Judged[] => {
    const tried = results.get(mutant.name)
    if (!tried) return []
    const outcome = equal(mutant.name) ? 'equal' : tried.killedBy === null ? 'survived' : 'killed'
    return [{ mutant, tried, outcome }]
  })
  const stale = judged.filter(({ tried, outcome }) => outcome === 'equal' && tried.killedBy !== null)
  const folders = countsBy(
    judged.filter(each => !isOfChart(each)),
    ({ mutant }) => mutant.group,
  )
  const scored = [...countsBy(judged, each => (isOfChart(each) ? each.mutant.group : BEYOND))]
  const lines = [
    ...judged.filter(({ outcome }) => outcome === 'survived').map(each => `survived: ${shown(each)}`),
    ...stale.map(each => `listed as equal, but killed by ${each.tried.killedBy}: ${shown(each)}`),
    ...[...folders].map(([folder, counts]) => `  ${scoreOf(folder, counts)}`),
    ...scored.map(([group, counts]) => scoreOf(group, counts)),
  ]
  return {
    lines,
    isGood: stale.length === 0 && scored.every(([, counts]) => percentOf(counts) >= LEAST_PERCENT),
  }
}

function isOfChart({ mutant: { group } }: Judged): boolean {
  return group.endsWith(' chart')
}

function shown({ mutant: { name, line } }: Judged): string {
  return line === null ? name : `${name} (line ${line})`
}

function countsBy(judged: readonly Judged[], groupOf: (each: Judged) => string): ReadonlyMap<string, Counts> {
  const groups = new Map<string, Counts>()
  for (const each of judged) {
    const group = groupOf(each)
    const counts = groups.get(group) ?? { killed: 0, survived: 0, equal: 0 }
    groups.set(group, { ...counts, [each.outcome]: counts[each.outcome] + 1 })
  }
  return groups
}

function percentOf({ killed, survived }: Counts): number {
  return killed + survived === 0 ? 100 : (100 * killed) / (killed + survived)
}

function scoreOf(group: string, counts: Counts): string {
  const { killed, survived, equal } = counts
  const listed = equal > 0 ? `, ${equal} listed as equal` : ''
  return `${group}: ${killed} of ${killed + survived} killed, ${percentOf(counts).toFixed(1)} %${listed}`
}
