/** The choice of a thread for a task, and the life of the process: threads keep it alive only while a caller waits for a result. @module */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import * as assert from 'uvu/assert'
import { Threads } from '../../actors/workers/threads.ts'
import { inTime } from '../patience.ts'
import { suite } from '../suite.ts'

const run = promisify(execFile)
const moduleOf = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`)
const THREADS = new URL(`../../actors/workers/threads${import.meta.url.slice(-3)}`, import.meta.url)

const PROOFS = new URL(`../../actors/workers/proofs${import.meta.url.slice(-3)}`, import.meta.url)

/** A worker that is busy for 50 ms with every task. */
const BUSY = moduleOf(`
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', message => {
    if (message === 'end') return parentPort.close()
    const { id, task } = message
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    parentPort.postMessage({ id, output: task })
  })
  parentPort.postMessage('loaded')`)

/** Workers that answer with their number, from 0. Only the first reports at once that it is loaded; the others wait until the test lets them. */
const NUMBERED = moduleOf(`
  import { parentPort, workerData } from 'node:worker_threads'
  const number = Atomics.add(workerData, 0, 1)
  const loaded = () => parentPort.postMessage('loaded')
  parentPort.on('message', message => {
    if (message === 'end') parentPort.close()
    else parentPort.postMessage({ id: message.id, output: number })
  })
  if (number === 0) loaded()
  else Promise.resolve(Atomics.waitAsync(workerData, 1, 0).value).then(loaded)`)

/** The output of a process that runs this code and ends by itself. */
async function outputOf(code: string): Promise<string> {
  const program = `
    import { Threads } from ${JSON.stringify(THREADS.href)}
    const start = () => new Threads({ file: new URL(${JSON.stringify(BUSY.href)}), workerData: null, most: 1 })
    ${code}`
  const words = ['--input-type=module', '-e', program]
  return (await inTime(run(process.execPath, words), 'the end of the process')).stdout
}

function printedBy(code: string): Promise<string> {
  return outputOf(`
    const threads = start()
    const run = task => threads.run(task, null)
    ${code}`)
}

const Idle = suite('idle threads')

Idle('of two idle threads, the one that has loaded gets the task', async () => {
  const workerData = new Int32Array(new SharedArrayBuffer(8))
  const threads = new Threads({ file: NUMBERED, workerData, most: 2 })
  const ask = () => threads.run<number>('x', null)
  assert.is(await ask(), 0)
  assert.equal(await Promise.all([ask(), ask()]), [0, 1])
  for (let i = 0; i < 3; i++) assert.is(await ask(), 0)
  Atomics.store(workerData, 1, 1)
  Atomics.notify(workerData, 1)
  await threads.close()
})

Idle('a process that waits for no result ends, although its threads exist', async () => {
  assert.is(await printedBy(`console.log(await run('first'))`), 'first\n')
})

Idle('a process ends although its threads never had a task', async () => {
  assert.is(await outputOf(`start(); console.log('nothing to do')`), 'nothing to do\n')
})

Idle('a process keeps running until every task is answered', async () => {
  const code = `for (const task of await Promise.all(['first', 'second'].map(run))) console.log(task)`
  assert.is(await printedBy(code), 'first\nsecond\n')
})

Idle(
  'a process keeps running until its threads have ended, even if an answer arrives meanwhile',
  async () => {
    const code = `
    await run('first')
    run('second').catch(() => {})
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300) // the answer arrives while this thread is blocked
    await threads.close()
    console.log('closed')`
    assert.is(await printedBy(code), 'closed\n')
  },
)

Idle('a thread does not answer the message to forget a key', async () => {
  const worker = new Worker(PROOFS, { workerData: 'bigint' })
  const answers: unknown[] = []
  worker.on('message', message => answers.push(message))
  worker.postMessage({ forget: 7 })
  worker.postMessage({
    id: 1,
    task: { name: 'secretPower', input: { key: { n: 7n, R: [2n] }, secret: 2n } },
    key: null,
  })
  while (answers.length < 2) await once(worker, 'message')
  assert.equal(answers, ['loaded', { id: 1, output: 4n }])
  worker.postMessage('end')
  await once(worker, 'exit')
})

Idle('a process outlives threads that are ended while V8 allocates beside them', async () => {
  // The flag is set late, so that it applies only to the threads. A thread ends when V8's helper threads are idle. If the main thread had the flag too,
  // they would never be idle on a slow machine.
  const code = `
    const { setFlagsFromString } = await import('node:v8')
    setFlagsFromString('--stress-concurrent-allocation')
    for (let i = 0; i < 48; i++) {
      const threads = start()
      await threads.run('task', null)
      await new Promise(resolve => setTimeout(resolve, 60 + 10 * (i % 8))) // V8 begins after 100 ms
      await threads.close()
    }
    console.log('alive')`
  assert.is(await outputOf(code), 'alive\n')
})
Idle.run()
