/** Shortens a failing plan: fewer sessions and logins, fewer faults, and fewer extra acts of the parties, as long as it fails in the same way. @module */
import type { Fault, Journey, Plan } from './plan.ts'

/** @returns the way in which a plan fails; null if it does not */
export type Failing = (plan: Plan) => Promise<string | null>

/** Leaving something out changes the times of everything else, so each shorter plan is tried with several draws of the delays. */
const DRAWS = 4

/** @param most number of plans to try
 *  @returns a plan that fails in the same way as the given one */
export async function shrunk(plan: Plan, failing: Failing, most = 400): Promise<Plan> {
  const way = await failing(plan)
  if (way === null) throw new Error('expected a plan that fails, got one in which every law holds')
  let [best, left] = [plan, most]
  const failsToo = async (shorter: Plan): Promise<Plan | null> => {
    for (let draw = 0; draw < DRAWS && left > 0; draw++) {
      left -= 1
      const drawn = { ...shorter, seed: draw === 0 ? best.seed : shorter.seed + draw }
      if ((await failing(drawn)) === way) return drawn
    }
    return null
  }
  for (let isShorter = true; isShorter && left > 0; ) {
    isShorter = false
    for (let candidates = shorterThan(best), shorter = candidates.next(); !shorter.done; ) {
      const found: Plan | null = await failsToo(shorter.value)
      if (found !== null) {
        best = found
        isShorter = true
        candidates = shorterThan(best)
      }
      shorter = candidates.next()
    }
  }
  return best
}

/** Shorter plans, the shortest first. */
function* shorterThan(plan: Plan): Generator<Plan> {
  const { journeys, logins, faults, skews, drifts } = plan
  for (const fewer of without(journeys)) yield { ...plan, journeys: fewer }
  for (const fewer of without(logins)) yield { ...plan, logins: fewer }
  for (const fewer of without(faults)) yield { ...plan, faults: fewer }
  if (skews.some(skew => skew !== 0)) yield { ...plan, skews: skews.map(() => 0) }
  if (drifts.some(drift => drift !== 0)) yield { ...plan, drifts: drifts.map(() => 0) }
  for (const [index, journey] of journeys.entries())
    for (const simpler of simplerThan(journey)) yield { ...plan, journeys: journeys.with(index, simpler) }
  for (const [index, login] of logins.entries())
    for (const steps of without(login.steps))
      yield { ...plan, logins: logins.with(index, { ...login, steps }) }
  for (const [index, fault] of faults.entries())
    for (const milder of milderThan(fault)) yield { ...plan, faults: faults.with(index, milder) }
}

/** The items without a half, a quarter, and so on, down to one. */
function* without<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < items.length; from += size)
      yield [...items.slice(0, from), ...items.slice(from + size)]
}

function* simplerThan(journey: Journey): Generator<Journey> {
  for (const habits of without(journey.habits)) yield { ...journey, habits }
  if (journey.isFollowed) yield { ...journey, isFollowed: false }
  if (journey.timeoutSec !== null) yield { ...journey, timeoutSec: null }
  if (journey.hasPairing) yield { ...journey, hasPairing: false }
  if (journey.hasCallback) yield { ...journey, hasCallback: false }
  if (journey.type !== 'disclosure') yield { ...journey, type: 'disclosure' }
  if (journey.proofs !== 'VALID') yield { ...journey, proofs: 'VALID' }
}

function* milderThan(fault: Fault): Generator<Fault> {
  if (fault.forMs > 100) yield { ...fault, forMs: Math.round(fault.forMs / 2) }
  if (fault.count > 0) yield { ...fault, count: Math.floor(fault.count / 2) }
}
