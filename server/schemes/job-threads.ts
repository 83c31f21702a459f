/** Schemes are read and updated in a thread of its own for each job, because hashes, XML and copies of many files would stop all other calls meanwhile. @module */
import { Worker } from 'node:worker_threads'
import type { OnClose } from '../opened.ts'

/** What a thread is sent when the server closes: whatever of its job can be left out, is. */
export const END = 'end'

/** @param job what the thread is given
 *  @param hear gets what the thread sends; nothing once the server closes
 *  @returns when the thread has ended
 *  @throws what the thread throws */
export type RunJob<Job, Message> = (
  job: Job,
  hear: (message: Message, thread: Worker) => void,
) => Promise<void>

/** @param file of the threads
 *  @param onClose waits until they have ended by themselves: Node 20 may end the process if a thread is cut off */
export function jobThreads<Job, Message>(file: URL, onClose: OnClose): RunJob<Job, Message> {
  const threads = new Set<Worker>()
  let isClosing = false
  onClose(async () => {
    isClosing = true
    await Promise.all([...threads].map(ended))
  })
  return (job, hear) =>
    new Promise((resolve, reject) => {
      const thread = new Worker(file, { workerData: job })
      threads.add(thread)
      thread.on('message', (message: Message) => {
        if (!isClosing) hear(message, thread)
      })
      thread.once('error', reject)
      thread.once('exit', () => {
        threads.delete(thread)
        resolve()
      })
    })
}

function ended(thread: Worker): Promise<void> {
  thread.postMessage(END)
  return new Promise(resolve => thread.once('exit', () => resolve()))
}
