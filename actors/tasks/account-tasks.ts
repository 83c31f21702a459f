/** What time does to accounts (`spec/keyshare-server.md` 14): owners of accounts that nobody uses are warned, accounts whose time has come are deleted, links and
 *  addresses that have ended are cleaned away. Any node does it, and no scheduler outside is needed: whatever two nodes do at once, the commit of the account
 *  decides, so that nobody is mailed twice. @module */
import type { Timer } from '../../ports/clock.ts'
import { expiryWarnings, type TaskDeps, type WarningMeans } from './expiry-warnings.ts'

export type AccountTasksDeps = TaskDeps & {
  /** null: without a mail server nobody can be warned, so that no account expires */
  readonly warnings: WarningMeans | null
  /** hears of failures, for a log */
  readonly report: (task: string, error: unknown) => void
}

export interface AccountTasks {
  /** Lets a task that has begun end. */
  close(): Promise<void>
}

/** The time between two runs. */
const PAUSE_MS = 3_600_000
/** The most accounts that are deleted between two looks at the store. */
const BATCH = 100

/** Runs at once, and every hour from then on. */
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

/** The chart deletes what its owner has deleted, or what nobody has used since the warning. An account that cannot be moved is left to the operator. */
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
