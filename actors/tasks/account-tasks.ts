/** Scheduled tasks for accounts (spec/keyshare-server#14): warn owners of unused accounts, delete accounts whose time has passed, and remove expired links
 *  and addresses. Any node runs them, and no external scheduler is needed. If two nodes do the same work, the commit of the account decides, so no owner is
 *  mailed twice. @module */
import type { Timer } from '../../ports/clock.ts'
import { expiryWarnings, type TaskDeps, type WarningMeans } from './expiry-warnings.ts'

export type AccountTasksDeps = TaskDeps & {
  /** null: without a mail server no owner can be warned, so no account expires */
  readonly warnings: WarningMeans | null
  /** receives failures, for a log */
  readonly report: (task: string, error: unknown) => void
}

export interface AccountTasks {
  /** Waits for a running task. */
  close(): Promise<void>
}

/** The time between two runs. */
const PAUSE_MS = 3_600_000
/** The most accounts that are deleted between two reads of the store. */
const BATCH = 100

/** Runs at once, and then every hour. */
export function startAccountTasks(deps: AccountTasksDeps): AccountTasks {
  const { stored, clock, warnings, report } = deps
  const warnUnused = warnings && expiryWarnings({ ...deps, ...warnings })
  let timer: Timer | null = null
  let isClosed = false
  const task = async (name: string, work: () => Promise<void>): Promise<void> => {
    if (!isClosed) await work().catch((error: unknown) => report(name, error))
  }
  const run = async (): Promise<void> => {
    await task('clean links and addresses', () => stored.tidy(clock.now()))
    await task('delete accounts', () => deleteDue(deps, () => isClosed))
    if (warnUnused) await task('warn owners', warnUnused)
    if (!isClosed) timer = clock.setTimeout(start, PAUSE_MS)
  }
  const start = (): void => {
    running = run()
  }
  let running = run()
  return {
    async close() {
      isClosed = true
      if (timer) clock.clearTimeout(timer)
      await running
    },
  }
}

/** The chart deletes accounts that their owners deleted, or that were not used since the warning. An account that one run cannot delete is
 *  tried again in the next run. An error is reported. */
async function deleteDue(
  { stored, accounts, clock, report }: AccountTasksDeps,
  isClosed: () => boolean,
): Promise<void> {
  const left = new Set<string>()
  while (!isClosed()) {
    const due = await stored.toDelete(clock.now(), BATCH + left.size)
    const ids = due.filter(id => !left.has(id))
    if (ids.length === 0) return
    for (const id of ids) {
      const turn = await accounts
        .turn(id, () => ({ event: { type: 'server.deleted' } }))
        .catch((error: unknown) => report(`delete account ${id}`, error))
      if (!turn || turn.after !== null) left.add(id)
    }
  }
}
