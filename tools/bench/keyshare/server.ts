/** The measured process of the login benchmark: a keyshare server as `svc keyshare` runs it. Its parent requests its CPU time. @module */
import { startKeyshareServer } from '../../../server/keyshare/start.ts'
import { createLog } from '../../../server/log/log.ts'
import { keyshareServer } from '../../../server/settings/keyshare-server.ts'
import { systemWorld } from '../../../server/world.ts'
import { answerParent, type CpuTask } from '../measured-process.ts'

/** `start` is the first task. */
export type KeyshareTask =
  /** Answered with 0. */
  { readonly ask: 'start'; readonly options: Readonly<Record<string, unknown>> } | CpuTask

answerParent<KeyshareTask>(async ({ options: values }) => {
  const file = { name: 'benchmark', values }
  const { options } = keyshareServer.resolve({ flags: {}, variables: {}, file })
  await startKeyshareServer({ options }, systemWorld(createLog(options)))
  return 0
})
