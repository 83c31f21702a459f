/** Worker threads: the messages that each gets, and the tasks of a thread that ends. @module */
import type { Worker } from 'node:worker_threads'
import * as assert from 'uvu/assert'
import { Threads, type ToThread } from '../../actors/workers/threads.ts'
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import { keyOf } from '../crypto/vectors.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'

const { publicKey: key } = keyOf('svc-demo.fast-0')
/** A worker that returns each message. It dies for `die`, throws for `throw`, and is busy for 50 ms for `long`. */
const ECHO = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    let forgotten = 0
    parentPort.on('message', message => {
      if (message === 'end') return parentPort.close()
      if ('forget' in message) return void forgotten++
      const { id, task } = message
      if (task === 'die') process.exit()
      if (task === 'long') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
      if (task === 'throw') parentPort.postMessage({ id, error: new Error('thrown') })
      else parentPort.postMessage({ id, output: { ...message, forgotten } })
    })
    parentPort.postMessage('loaded')`)}`,
)
type Echo = Extract<ToThread, { readonly id: number }> & { readonly forgotten: number }

async function withThreads(most: number, use: (threads: Threads) => Promise<void>): Promise<void> {
  const threads = new Threads({ file: ECHO, workerData: null, most })
  try {
    await use(threads)
  } finally {
    await threads.close()
  }
}

const Sent = suite('the keys that a thread gets')

Sent('a thread gets a key once, and then its number; again if the key has other tables', () =>
  withThreads(1, async threads => {
    const tables = new SharedArrayBuffer(8)
    const send = async (each: IssuerPublicKey, shared?: SharedArrayBuffer): Promise<Echo['key']> => {
      const sent = shared === undefined ? { key: each } : { key: each, tables: shared }
      return (await threads.run<Echo>('x', sent)).key
    }
    const first = await send(key, tables)
    assert.equal(first?.shared?.key, key)
    assert.equal(await send(key, tables), { number: first?.number })
    const other = await send({ ...key, counter: 9 }, tables)
    assert.is(other?.shared?.key.counter, 9)
    assert.is.not(other?.number, first?.number)
    const anew = await send(key, new SharedArrayBuffer(8))
    assert.ok(anew?.shared)
    assert.is.not(anew?.number, first?.number)
    assert.is((await threads.run<Echo>('x', null)).key, null)
    assert.is((await threads.run<Echo>('x', null)).forgotten, 1, 'the key with the earlier tables')
  }),
)
Sent('a thread keeps the latest keys: earlier ones are forgotten, and sent again', () =>
  withThreads(1, async threads => {
    const first = { key: { ...key, counter: 0 } }
    await threads.run('x', first)
    for (let counter = 1; counter <= 64; counter++) await threads.run('x', { key: { ...key, counter } })
    assert.is((await threads.run<Echo>('x', null)).forgotten, 1)
    assert.ok((await threads.run<Echo>('x', first)).key?.shared)
  }),
)
Sent.run()

const Ends = suite('threads that end')

Ends('if a thread ends, its running task fails; the waiting tasks go to another thread, in order', () =>
  withThreads(1, async threads => {
    await threads.run('x', null)
    const died = rejection(threads.run('die', null))
    const sent = [1, 2, 3].map(task => threads.run<Echo>(task, { key }))
    assert.match(await died, /expected an answer, but the thread ended/)
    const echoes = await Promise.all(sent)
    assert.equal(
      echoes.map(({ task, key: sentKey }) => [task, sentKey?.shared !== undefined]),
      [
        [1, true],
        [2, false],
        [3, false],
      ],
    )
  }),
)
Ends('a task that throws, or cannot be sent, fails without affecting others', () =>
  withThreads(1, async threads => {
    const thrown = rejection(threads.run('throw', null))
    assert.match(await rejection(threads.run(() => 1, null)), /could not be cloned/)
    assert.match(await thrown, /thrown/)
    assert.is((await threads.run<Echo>('y', null)).task, 'y')
  }),
)
Ends('a thread that cannot load is started again only by the next task, which fails', async () => {
  let started = 0
  const count = (): void => void started++
  process.on('worker', count)
  const file = new URL('data:text/javascript,throw new Error("cannot load")')
  const threads = new Threads({ file, workerData: null, most: 1 })
  for (let i = 0; i < 2; i++) assert.match(await rejection(threads.run('x', null)), /the thread ended/)
  assert.is(threads.hasLoaded(), false)
  await threads.close()
  process.off('worker', count)
  assert.is(started, 2)
})
Ends('all tasks of a thread that cannot load fail', async () => {
  const file = new URL('data:text/javascript,throw new Error("cannot load")')
  const threads = new Threads({ file, workerData: null, most: 1 })
  const given = ['x', 'y', 'z'].map(task => rejection(threads.run(task, null)))
  for (const each of given) assert.match(await each, /the thread ended$/)
  await threads.close()
})
Ends('the last thread is replaced when it ends, even if no task waits', () =>
  withThreads(1, async threads => {
    await threads.run('x', null)
    const replaced = new Promise<Worker>(resolve => process.once('worker', resolve))
    assert.match(await rejection(threads.run('die', null)), /the thread ended$/)
    await replaced
  }),
)
Ends('a thread that is still loading is ended only after it has loaded', async () => {
  const loaded = new Int32Array(new SharedArrayBuffer(4))
  const file = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort, workerData } from 'node:worker_threads'
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
      Atomics.store(workerData, 0, 1)
      parentPort.postMessage('loaded')`)}`,
  )
  await new Threads({ file, workerData: loaded, most: 1 }).close()
  assert.is(Atomics.load(loaded, 0), 1)
})
Ends('closed threads accept no task, and their unfinished tasks fail', async () => {
  const threads = new Threads({ file: ECHO, workerData: null, most: 2 })
  await threads.run('x', null)
  const waiting = ['long', 'y'].map(task => rejection(threads.run(task, null)))
  await threads.close()
  assert.match(await rejection(threads.run('x', null)), /before they are closed/)
  for (const each of waiting) assert.match(await each, /the thread ended with its pool$/)
})
Ends('a thread starts when all others are busy, up to the maximum', () =>
  withThreads(2, async threads => {
    await threads.run('x', null)
    const started: Worker[] = []
    const listener = (worker: Worker): void => void started.push(worker)
    process.on('worker', listener)
    await Promise.all(['long', 'x', 'x', 'x'].map(task => threads.run(task, null)))
    process.off('worker', listener)
    assert.is(started.length, 1)
  }),
)
Ends('a task goes to the thread with the fewest tasks', () =>
  withThreads(2, async threads => {
    await Promise.all(['long', 'x'].map(task => threads.run(task, null))) // both have loaded
    const answered: string[] = []
    const run = (task: string) => threads.run(task, null).then(() => answered.push(task))
    await Promise.all(['long', 'x'].map(run))
    assert.equal(answered, ['x', 'long'])
  }),
)
Ends.run()
