/** Worker threads for tasks. Each thread does its tasks in the order in which it received them. The first thread starts with the pool, and the others when
 *  there is work for them. An issuer key is sent to a thread once and has a number from then on, because copying it costs a tenth of a proof. A thread that
 *  dies fails its current task. Its waiting tasks go to other threads if it had loaded, and fail otherwise. @module */
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import type { SharedKey } from '../../crypto/bignum/arithmetic.ts'
import { type END, ended } from '../../ports/thread.ts'

/** Messages to a thread. */
export type ToThread = { readonly forget: number } | TaskMessage | typeof END
export type TaskMessage = {
  readonly id: number
  readonly task: unknown
  /** number of the task's key, with the key itself if the thread does not know it yet */
  readonly key: { readonly number: number; readonly shared?: SharedKey } | null
}

/** Messages from a thread: `loaded` once, when it has loaded all its modules, then the outcome of each task. */
export type FromThread =
  | 'loaded'
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly error: unknown }

type Task = {
  readonly id: number
  readonly task: unknown
  readonly key: SharedKey | null
  readonly resolve: (output: never) => void
  readonly reject: (error: unknown) => void
}

type KnownKey = { readonly number: number; readonly tables: SharedArrayBuffer | undefined }

/** The most keys that have a number in a thread: more than the tables of a process have room for. */
const MOST_KEYS = 64

class Thread {
  readonly worker: Worker
  isLoaded = false
  /** unanswered tasks in the order in which they were given; the first is in progress */
  readonly tasks = new Map<number, Task>()
  readonly #keys = new LRUCache<SharedKey['key'], KnownKey>({
    max: MOST_KEYS,
    dispose: ({ number }) => this.#post({ forget: number }),
  })
  #nextNumber = 0
  #isEnding = false

  constructor(worker: Worker) {
    this.worker = worker
  }

  give(task: Task): void {
    this.worker.ref() // keeps the process alive while a caller waits
    this.tasks.set(task.id, task)
    this.#post({ id: task.id, task: task.task, key: task.key && this.#numbered(task.key) })
  }

  /** @returns the task of this answer */
  take(id: number): Task | undefined {
    const task = this.tasks.get(id)
    this.tasks.delete(id)
    if (this.tasks.size === 0 && !this.#isEnding) this.worker.unref()
    return task
  }

  end(): Promise<void> {
    this.#isEnding = true
    return ended(this.worker)
  }

  #numbered(shared: SharedKey): TaskMessage['key'] {
    const known = this.#keys.get(shared.key)
    if (known !== undefined && known.tables === shared.tables) return { number: known.number }
    const number = this.#nextNumber++
    this.#keys.set(shared.key, { number, tables: shared.tables })
    return { number, shared }
  }

  #post(message: ToThread): void {
    this.worker.postMessage(message)
  }
}

export type ThreadsOptions = {
  readonly file: URL
  /** data for each thread at its start */
  readonly workerData: unknown
  readonly most: number
}

export class Threads {
  readonly #options: ThreadsOptions
  readonly #all = new Set<Thread>()
  #ids = 0
  #isClosing = false

  constructor(options: ThreadsOptions) {
    this.#options = options
    this.#start()
  }

  /** @param key key of the task; the thread receives it beside the task
   *  @returns the answer of the thread
   *  @throws the error of the thread, or an error if it dies meanwhile */
  run<Output>(task: unknown, key: SharedKey | null): Promise<Output> {
    return new Promise<Output>((resolve, reject) =>
      this.#give({ id: this.#ids++, task, key, resolve, reject }),
    )
  }

  /** True if a running thread has loaded all its modules. */
  hasLoaded(): boolean {
    return [...this.#all].some(({ isLoaded }) => isLoaded)
  }

  /** Rejects the tasks of all threads at once. The threads still do them, and then end. */
  async close(): Promise<void> {
    this.#isClosing = true
    const closed = new Error('worker threads: expected an answer, but the thread ended with its pool')
    for (const { tasks } of this.#all) for (const task of tasks.values()) task.reject(closed)
    await Promise.all([...this.#all].map(thread => thread.end()))
  }

  #give(task: Task): void {
    if (this.#isClosing) {
      task.reject(new Error('worker threads: expected work before they are closed'))
      return
    }
    const thread = this.#leastBusy()
    try {
      thread.give(task)
    } catch (error) {
      thread.take(task.id)
      task.reject(error) // the message cannot be cloned
    }
  }

  /** The thread with the fewest tasks, preferably a loaded one. If all are busy and there are fewer than the maximum, a new thread starts and takes the task. */
  #leastBusy(): Thread {
    const rank = ({ tasks, isLoaded }: Thread): number => 2 * tasks.size + (isLoaded ? 0 : 1)
    const [first, ...others] = this.#all
    if (first === undefined) return this.#start()
    const least = others.reduce((best, each) => (rank(each) < rank(best) ? each : best), first)
    return least.tasks.size > 0 && this.#all.size < this.#options.most ? this.#start() : least
  }

  #start(): Thread {
    const { file, workerData } = this.#options
    const thread = new Thread(new Worker(file, { workerData }))
    this.#all.add(thread)
    let cause: unknown
    thread.worker.on('message', (message: FromThread) => answered(thread, message))
    thread.worker.on('error', error => {
      cause = error
    })
    thread.worker.on('exit', () => this.#ended(thread, cause))
    thread.worker.unref() // after the listeners, because a listener of 'message' keeps the process alive
    return thread
  }

  /** A thread that never loaded is replaced only when there is work: one that cannot load would otherwise be restarted forever. */
  #ended(thread: Thread, cause: unknown): void {
    this.#all.delete(thread)
    const died = new Error('worker threads: expected an answer, but the thread ended', { cause })
    const [first, ...waiting] = thread.tasks.values()
    first?.reject(died)
    if (this.#isClosing || !thread.isLoaded) for (const task of waiting) task.reject(died)
    else {
      if (this.#all.size === 0) this.#start()
      for (const task of waiting) this.#give(task)
    }
  }
}

function answered(thread: Thread, message: FromThread): void {
  if (message === 'loaded') {
    thread.isLoaded = true
    return
  }
  const task = thread.take(message.id)
  if ('error' in message) task?.reject(message.error)
  else task?.resolve(message.output as never) // the caller names the output type of its task
}
