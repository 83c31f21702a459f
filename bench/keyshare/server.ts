/** The measured process of the benchmark of logins: a keyshare server as `svc keyshare` makes it. Its parent asks for its CPU time. @module */
import { startKeyshareServer } from '../../server/keyshare/start.ts'
import { createLog } from '../../server/log/log.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { systemWorld } from '../../server/world.ts'
import { answerParent, type CpuTask } from '../measured-process.ts'

/** `start` comes first. */
export type KeyshareTask =
  /** answered with 0 */
  { readonly ask: 'start'; readonly options: Readonly<Record<string, unknown>> } | CpuTask

answerParent<KeyshareTask>(async ({ options: values }) => {
  const file = { name: 'benchmark', values }
  const { options } = keyshareServer.resolve({ flags: {}, variables: {}, file })
  await startKeyshareServer({ options }, systemWorld(createLog(options)))
  return 0
})
