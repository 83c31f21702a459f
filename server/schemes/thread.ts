/** The thread of `threads.ts`: does its one job and ends. @module */
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { END } from '../../ports/thread.ts'
import { readContent } from '../../schemes/load.ts'
import { SchemeError } from '../../schemes/scheme-error.ts'
import { keptVersion } from '../../schemes/take-place.ts'
import type { SchemeContent } from '../../schemes/types.ts'
import type { FromThread, ToThread } from './threads.ts'
import { runUpdateJob } from './update-job.ts'

const job: ToThread['job'] = workerData
const asked = new Map<string, (refusal: string | null) => void>()
const stop = new AbortController()
const stopped = once(stop.signal, 'abort').then(() => 'the server stops')

function say(message: FromThread): void {
  parentPort?.postMessage(message)
}

function ask(content: SchemeContent): Promise<string | null> {
  const answered = new Promise<string | null>(resolve => asked.set(content.folder, resolve))
  say({ type: 'found', content })
  return Promise.race([answered, stopped])
}

/** A kept version that is broken by now counts as missing. */
async function readKept(folder: string, timestampSec: number, privateKeys: string | null) {
  const kept = keptVersion(folder, timestampSec)
  if (kept === null) return null
  return await readContent(kept, folder, privateKeys).catch((error: unknown) => {
    if (error instanceof SchemeError) return null
    throw error
  })
}

parentPort?.on('message', (message: ToThread['answer'] | typeof END) => {
  if (message === END) stop.abort()
  else asked.get(message.folder)?.(message.refusal)
})
if (job.type === 'update')
  await runUpdateJob(job, ask, outcome => say({ type: 'outcome', outcome }), stop.signal)
else say({ type: 'kept', content: await readKept(job.folder, job.timestampSec, job.privateKeys) })
parentPort?.close()
