/** The write-ahead log goes back into its file in a thread of its own, because each time takes two syncs to the disk, and the process would stand still for them. A
 *  thread that fails is started again: should none ever do its work, SQLite does it within a commit, later, and that commit says what is wrong. @module */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type END, ended } from '../../../ports/thread.ts'

/** The transactions after which the log goes back: with those of a busy server some thousand pages. */
const TRANSACTIONS = 250
/** The pages of the log with which SQLite does it within a commit, 80 MB: while commits come without a pause the thread never finds an end of the log, and only
 *  from there does SQLite begin it anew. */
export const PAGES_WITHIN_COMMIT = 20_000

/** What the thread is sent; it answers the first. */
export type Asked = 'checkpoint' | typeof END

export class Checkpoints {
  readonly #file: string
  #thread: Worker | null = null
  #isAsked = false
  #transactions = 0

  /** @param file which this process has open */
  constructor(file: string) {
    this.#file = file
  }

  /** A transaction was committed. */
  committed(): void {
    this.#transactions += 1
    if (this.#transactions < TRANSACTIONS || this.#isAsked) return
    this.#transactions = 0
    this.#isAsked = true
    this.#thread ??= this.#start()
    this.#thread.postMessage('checkpoint' satisfies Asked)
  }

  /** What was asked for is done first. */
  async close(): Promise<void> {
    if (this.#thread !== null) await ended(this.#thread)
  }

  #start(): Worker {
    const thread = new Worker(new URL(`./thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: this.#file,
    })
    thread.unref()
    thread.on('message', () => {
      this.#isAsked = false
    })
    thread.on('error', () => {}) // its end, which follows, is all that matters here
    thread.on('exit', () => {
      this.#thread = null
      this.#isAsked = false
    })
    return thread
  }
}
