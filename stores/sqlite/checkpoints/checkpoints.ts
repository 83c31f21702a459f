/** Copies the write-ahead log back into the file in a separate thread, because each checkpoint takes two syncs to the disk, which would block the
 *  process. A thread that fails is started again. If no thread succeeds, SQLite later does the checkpoint within a commit, and that commit reports
 *  the error. @module */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type END, ended } from '../../../ports/thread.ts'

/** The number of transactions between two checkpoints; on a busy server they fill about a thousand pages. */
const TRANSACTIONS = 250
/** The number of pages in the log (80 MB) at which SQLite does a checkpoint within a commit. With commits without a pause, the thread never reaches
 *  the end of the log, and only then can SQLite start it again. */
export const PAGES_WITHIN_COMMIT = 20_000

/** Messages to the thread; it answers the first kind. */
export type CheckpointMessage = 'checkpoint' | typeof END

export class Checkpoints {
  readonly #file: string
  #thread: Worker | null = null
  #isAsked = false
  #transactions = 0

  /** @param file that this process has open */
  constructor(file: string) {
    this.#file = file
  }

  /** To be called after each committed transaction. */
  committed(): void {
    this.#transactions += 1
    if (this.#transactions < TRANSACTIONS || this.#isAsked) return
    this.#transactions = 0
    this.#isAsked = true
    this.#thread ??= this.#start()
    this.#thread.postMessage('checkpoint' satisfies CheckpointMessage)
  }

  /** Waits for a checkpoint that was requested before. */
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
    thread.on('error', () => {}) // the event `exit` follows and is handled
    thread.on('exit', () => {
      this.#thread = null
      this.#isAsked = false
    })
    return thread
  }
}
