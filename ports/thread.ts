/** How worker threads end. @module */
import type { Worker } from 'node:worker_threads'

/** What a thread is sent that is to end: it does what it was sent before, and closes its port. */
export const END = 'end'

/** Tells a thread to end, and waits for it, as the process does. It is never cut off: while it loads its modules, or, on Node 20, while a function of it is compiled beside
 *  it, that could take the whole process with it. */
export function ended(thread: Worker): Promise<void> {
  thread.ref()
  thread.postMessage(END)
  return new Promise(resolve => thread.once('exit', () => resolve()))
}
