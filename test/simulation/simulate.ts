/** Plays a plan, and judges its history. @module */
import { judge, type Verdict } from '../history/checker.ts'
import type { History } from '../history/lines.ts'
import { recover, suffer } from './faults.ts'
import { travel } from './journey.ts'
import { logIn } from './logins.ts'
import type { Plan } from './plan.ts'
import { World } from './world.ts'

/** A simulation whose sessions have not ended by then counts as stuck. */
const LONGEST_MS = 30 * 60_000

export type Simulated = {
  readonly history: History
  /** in words; empty if every law holds */
  readonly violations: readonly string[]
  readonly counts: Verdict['counts']
  /** steps that ran one after the other */
  readonly events: number
}

export async function simulate(plan: Plan): Promise<Simulated> {
  const world = new World(plan)
  const { schedule } = world
  let isOver = false
  const whole = play(world, plan).then(() => {
    isOver = true
  })
  await schedule.run(() => isOver || schedule.now > schedule.startedAt + LONGEST_MS)
  if (isOver) await whole
  else world.wrong.push(`the simulation does not end within ${LONGEST_MS} ms`)
  const { violations, counts } = judge(world.history)
  return {
    history: world.history,
    violations: [...world.wrong, ...violations],
    counts,
    events: schedule.count,
  }
}

async function play(world: World, plan: Plan): Promise<void> {
  for (const machine of world.machines.values()) await world.start(machine)
  const { schedule, network, write } = world
  const journeys = plan.journeys.map(journey =>
    travel({ schedule, network, write }, plan.seed, journey, (name, { requestorToken }) =>
      world.posts.noted(name, requestorToken),
    ),
  )
  const logins = plan.logins.map(login =>
    logIn({ schedule, network, write }, plan.seed, login, world.accounts),
  )
  await Promise.all(plan.faults.map(fault => suffer(world, fault)))
  await recover(world)
  await Promise.all([...journeys, ...logins])
  await forgotten(world)
}

/** Waits until every session is forgotten and every due post has arrived. */
async function forgotten({ store: { inner }, schedule }: World): Promise<void> {
  const isOwed = async (): Promise<boolean> =>
    (await inner.deliveries.list()).some(({ state }) => state === 'waiting' || state === 'sending')
  while ((await inner.sessions.count()) > 0 || (await isOwed())) await schedule.pause(1_000)
}
