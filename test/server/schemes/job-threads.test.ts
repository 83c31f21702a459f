/** A thread that works on schemes: its end when the server closes, and its failures. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import * as assert from 'uvu/assert'
import { END } from '../../../ports/thread.ts'
import { loadSchemes } from '../../../schemes/load.ts'
import { opened } from '../../../server/closable.ts'
import { jobThreads } from '../../../server/schemes/job-threads.ts'
import { type FromThread, schemeThreads, type ToThread } from '../../../server/schemes/threads.ts'
import type { UpdateOutcome } from '../../../server/schemes/update-job.ts'
import { rejection } from '../../faults/rejection.ts'
import { inTime } from '../../patience.ts'
import { FIRST_SEC, type SchemeSite, schemeSite } from '../../schemes/scheme-site.ts'
import { suite } from '../../suite.ts'
import { jobOn } from './job-on.ts'

const moduleOf = (code: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort, workerData } from 'node:worker_threads';${code}`)}`,
  )
/** A thread that returns its data and then each message, until it gets the message to end. */
const ECHO = moduleOf(`
  parentPort.postMessage(workerData)
  parentPort.on('message', message => {
    parentPort.postMessage(message)
    if (message === ${JSON.stringify(END)}) parentPort.close()
  })`)
const THREAD = new URL(`../../../server/schemes/thread${import.meta.url.slice(-3)}`, import.meta.url)

let site: SchemeSite
const Threads = suite('threads that have a job with schemes')
Threads.before(async () => {
  site = await schemeSite()
})
Threads.after(() => site.close())

Threads('a closing server tells them to end, ignores later messages, and waits for their end', async () => {
  const { whole: run, close } = await opened(async onClose => jobThreads<string, string>(ECHO, onClose))
  const heard: string[] = []
  let hasEnded = false
  await new Promise<void>(resolve => {
    void run('job', message => {
      heard.push(message)
      resolve()
    }).then(() => {
      hasEnded = true
    })
  })
  await close()
  assert.equal([heard, hasEnded], [['job'], true])
})

Threads('an error of a thread is thrown, and closing does not wait for this thread', async () => {
  const file = moduleOf('throw new Error(workerData)')
  const { whole: run, close } = await opened(async onClose => jobThreads(file, onClose))
  assert.match(await rejection(run('no job', () => {})), /no job/)
  await close()
})

Threads('a download is aborted when the server closes', async () => {
  const path = site.install()
  const asked = new Promise<ServerResponse>(resolve =>
    site.play((_path, answer) => {
      resolve(answer)
      return true // the answer never comes
    }),
  )
  const { whole: threads, close } = await opened(async onClose => schemeThreads(onClose))
  const told: UpdateOutcome[] = []
  const updated = threads.update(await jobOn(path), { approve: () => null, notify: each => told.push(each) })
  const answer = await asked
  const cut = once(answer, 'close') // the other side sees the end of the connection a little later
  await inTime(close(), 'the end of the download')
  await updated
  await inTime(cut, 'the end of the connection')
  assert.equal(told, [])
})

Threads('a version that is not approved when the server closes is not installed', async () => {
  const path = site.install()
  site.play(null)
  site.publish(2)
  const { whole: run, close } = await opened(async onClose =>
    jobThreads<ToThread['job'], FromThread>(THREAD, onClose),
  )
  const heard: string[] = []
  let closed: Promise<void> | undefined
  await run({ ...(await jobOn(path)), type: 'update' }, ({ type }) => {
    heard.push(type)
    closed = close()
  })
  await closed
  assert.equal([heard, (await loadSchemes(path)).version], [['found'], `svc-demo@${FIRST_SEC}`])
})
Threads.run()
