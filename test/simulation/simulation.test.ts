import * as assert from 'uvu/assert'
import { numberGiven } from '../number-given.ts'
import { suite, tellAtEnd } from '../suite.ts'
import { FAULTS, HABITS, type Plan, planOf } from './plan.ts'
import { reportOf } from './report.ts'
import { shrunk } from './shrink.ts'
import { type Simulated, simulate } from './simulate.ts'

/** `SEEDS=1000 node dist/test/simulation/simulation.test.js` plays that many seeds, `SEED=...` starts with that one; `SHRINK=no` prints a failing script without shortening
 *  it. */
const [SEEDS, SEED, SESSIONS] = [
  numberGiven('SEEDS', 100),
  numberGiven('SEED', 1, 0),
  numberGiven('SESSIONS', 15),
]
const { SHRINK } = process.env

const Simulation = suite('simulation of a whole cluster')

const total: Record<string, number> = {}

function count({ counts }: Simulated): void {
  for (const [what, number] of Object.entries(counts)) total[what] = (total[what] ?? 0) + number
}

Simulation('every law that is visible from outside holds under all simulated faults', async () => {
  for (let seed = SEED; seed < SEED + SEEDS; seed++) {
    const plan = planOf(seed, SESSIONS)
    const simulated = await simulate(plan)
    count(simulated)
    if (simulated.violations.length > 0)
      throw new Error(`SEED=${seed} SESSIONS=${SESSIONS}: ${await reportOf(plan, SHRINK !== 'no')}`)
  }
  tellAtEnd(`simulated: ${JSON.stringify(total)}`)
})

Simulation('the same seed makes the same history, to the last byte', async () => {
  for (const seed of [3, 4]) {
    const [first, second] = [await simulate(planOf(seed, 25)), await simulate(planOf(seed, 25))]
    assert.is(JSON.stringify(first.history), JSON.stringify(second.history))
    assert.is(first.events, second.events)
  }
})

Simulation('another seed makes another history', async () => {
  const [first, second] = [await simulate(planOf(3, 5)), await simulate(planOf(4, 5))]
  assert.is.not(JSON.stringify(first.history), JSON.stringify(second.history))
})

Simulation('a failing plan is shortened to the parts that make it fail', async () => {
  const isPaired = ({ journeys, faults }: Plan): boolean =>
    journeys.some(({ hasPairing, habits }) => hasPairing && habits.length > 0) &&
    faults.some(({ is }) => is === 'the process dies')
  const seed = Array.from({ length: 100 }, (_, i) => i).find(each => isPaired(planOf(each, 25))) ?? 0
  const short = await shrunk(planOf(seed, 25), async plan => (isPaired(plan) ? 'it fails' : null))
  assert.is(short.journeys.length, 1)
  assert.is(short.faults.length, 1)
  assert.equal(
    [short.journeys[0]?.habits.length, short.journeys[0]?.isFollowed, short.faults[0]?.count, short.skews],
    [1, false, 0, [0, 0, 0, 0, 0]],
  )
})

Simulation('the plans of 100 seeds contain every act and every fault', () => {
  const plans = Array.from({ length: 100 }, (_, seed) => planOf(seed, 25))
  const habits = new Set(
    plans.flatMap(({ journeys }) => journeys.flatMap(each => each.habits.map(({ does }) => does))),
  )
  const faults = new Set(plans.flatMap(plan => plan.faults.map(({ is }) => is)))
  assert.equal([habits.size, faults.size], [HABITS.length, FAULTS.length])
})

Simulation('some seeds have a single kind of fault, some have many, some have none', () => {
  const faults = Array.from({ length: 100 }, (_, seed) => planOf(seed, 5).faults.map(({ is }) => is))
  const kinds = faults.map(each => new Set(each).size)
  assert.ok(kinds.includes(0) && kinds.some(count => count > 6), kinds.join())
  assert.ok(faults.some(each => each.length > 5 && new Set(each).size === 1))
})

Simulation.run()
