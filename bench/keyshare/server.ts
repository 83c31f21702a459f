/** The measured process of the benchmark of logins: a keyshare server as `svc keyshare` makes it. Its parent asks for its CPU time. @module */
import { startKeyshareServer } from '../../server/keyshare/start.ts'
import { createLog } from '../../server/log/log.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { systemWorld } from '../../server/world.ts'

/** `start` comes first. */
export type KeyshareTask =
  /** answered with 0 */
  | { readonly ask: 'start'; readonly options: Readonly<Record<string, unknown>> }
  /** answered with the CPU milliseconds of all threads of this process until now, user and system */
  | { readonly ask: 'cpu' }

async function answer(task: KeyshareTask): Promise<number> {
  if (task.ask === 'cpu') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  const file = { name: 'benchmark', values: task.options }
  const { options } = keyshareServer.resolve({ flags: {}, variables: {}, file })
  await startKeyshareServer({ options }, systemWorld(createLog(options)))
  return 0
}

process.on('message', async (task: KeyshareTask) => void process.send?.(await answer(task)))
process.on('disconnect', () => process.exit())
