/** The report about a simulation that breaks a law: the shortened script, in the form that a test keeps, and the course of the failing session. @module */
import type { History, HistoryLine } from '../history/lines.ts'
import type { Plan } from './plan.ts'
import { shrunk } from './shrink.ts'
import { type Simulated, simulate } from './simulate.ts'

/** The way in which a law was broken, without names and times. */
function wayOf({ violations }: Simulated): string | null {
  const [first] = violations
  if (first === undefined) return null
  return first
    .replace(/\b[\w-]{16}\b/g, '')
    .replace(/s?\d+(?:\.\d+)?\+?/g, '')
    .slice(0, 60)
}

/** @returns the shortest script that was found, and its violations */
export async function reportOf(plan: Plan, shrinks = true): Promise<string> {
  const shorter = shrinks ? await shrunk(plan, async each => wayOf(await simulate(each))) : plan
  const { violations, history } = await simulate(shorter)
  const [first = ''] = violations
  const name = /(?:session|account) (\S+):/.exec(first)?.[1]
  const course = coursesOf(history, name).map(line => `    ${line}`)
  return [...violations.slice(0, 5), 'in the script', shownPlan(shorter), 'whose course is', ...course].join(
    '\n',
  )
}

/** The plan in the form that a test keeps. */
export function shownPlan({ seed, skews, drifts, journeys, logins, faults }: Plan): string {
  const list = (name: string, items: readonly object[]): readonly string[] =>
    items.length === 0
      ? [`  ${name}: [],`]
      : [`  ${name}: [`, ...items.map(item => `    ${JSON.stringify(item)},`), '  ],']
  return [
    '{',
    `  seed: ${seed},`,
    `  skews: ${JSON.stringify(skews)},`,
    `  drifts: ${JSON.stringify(drifts)},`,
    ...list('journeys', journeys),
    ...list('logins', logins),
    ...list('faults', faults),
    '}',
  ].join('\n')
}

/** Every line of one session or account, and of the nodes, ordered by beginning. */
function coursesOf(history: History, name: string | undefined): readonly string[] {
  const startedAt = Math.min(...history.map(beganAt))
  return history
    .filter(line => line.what === 'node' || nameOf(line) === name)
    .sort((a, b) => beganAt(a) - beganAt(b))
    .map(line => `${((beganAt(line) - startedAt) / 1_000).toFixed(3)} ${JSON.stringify(line)}`)
}

function nameOf(line: HistoryLine): string | null {
  if (line.what === 'login') return line.account
  return 'session' in line ? line.session : null
}

function beganAt(line: HistoryLine): number {
  if (line.what === 'delay') return line.from
  return 'begunAt' in line ? line.begunAt : line.at
}
