/** The tasks of a keyshare server, run by a clock that the test moves. @module */
import { type AccountTasks, startAccountTasks } from '../../../actors/tasks/account-tasks.ts'
import type { TaskDeps } from '../../../actors/tasks/expiry-warnings.ts'
import { type createMailWorld, TIMES } from '../mails/world.ts'
import { settle } from '../node.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

export type World = ReturnType<typeof createMailWorld>

/** @param hasMail true: the keyshare server has a mail server
 *  @param parts replace those of the world */
export async function started(
  world: World,
  hasMail = true,
  parts: Partial<TaskDeps> = {},
): Promise<AccountTasks> {
  const { store, accounts, clock, ground, takesMail, reports } = world
  const tasks = startAccountTasks({
    stored: store.accounts,
    accounts,
    clock,
    times: TIMES,
    ...parts,
    warnings: hasMail ? { ...ground, takesMail } : null,
    report: (task, error) => reports.push(`${task}: ${error}`),
  })
  await settle()
  return tasks
}

/** Advances the clock by `ms`, and lets the tasks finish. */
export async function after({ clock }: World, ms: number): Promise<void> {
  clock.advance(ms)
  await settle(100)
}
