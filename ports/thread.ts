/** Ends worker threads. @module */
import type { Worker } from 'node:worker_threads'

/** The message that ends a thread: it finishes its earlier messages and closes its port. */
export const END = 'end'

/** Tells a thread to end and waits for its exit; the process stays alive until then. The thread is never terminated by force. That could crash the
 *  process while the thread loads modules or, on Node 20, while one of its functions is being compiled in the background. */
export function ended(thread: Worker): Promise<void> {
  thread.ref()
  thread.postMessage(END)
  return new Promise(resolve => thread.once('exit', () => resolve()))
}
